import type { Duplex, Readable } from 'node:stream'
import type { Permit } from '../../policy/index.ts'

/** Header fields in their order and spelling, flat: name, value, name, value. */
export type RawHeaders = readonly string[]

/** Where a request goes: canonical, as judged. */
export interface Origin {
  readonly scheme: 'http' | 'https'
  /** Lower-case ASCII host name, dotted IPv4, or IPv6 without brackets. */
  readonly host: string
  readonly port: number
}

/** A certificate of the gateway's own, in PEM, intermediate authorities behind it, and what signs for it. */
export interface ClientCertificate {
  readonly cert: string
  /** Gives the private key, PEM and not encrypted, where it is needed and nowhere else. */
  readonly key: { reveal(): string }
}

/** How an origin is reached; made from the configuration, absent parts mean the default. */
export interface Route {
  /** Dialled in place of the resolved name, `host:port`, with no address check: the operator chose it. */
  readonly address?: { readonly host: string; readonly port: number }
  /** CIDR ranges that may be dialled although they are private or loopback. */
  readonly allowPrivate?: readonly string[]
  /** PEM certificates trusted besides the system's roots. */
  readonly ca?: readonly string[]
  /** Shown to the origin where it asks for a certificate. */
  readonly clientCertificate?: ClientCertificate
  /** A corporate proxy to go through: CONNECT for https, absolute form for http. */
  readonly proxy?: { readonly host: string; readonly port: number; readonly authorization?: string }
  /** Hosts (exact, or `.suffix`) that are reached without `proxy`. */
  readonly noProxy?: readonly string[]
}

/**
 * A key that is put into path or query after the decision: `text` takes the place of the judged path's characters from
 * `from` up to `to`. It cannot part what was one (see `splicePath`).
 */
export interface PathSplice {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Tells that a caller has gone: what of an AbortSignal is used here, which is one. */
export interface CallerSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface UpstreamRequest {
  readonly origin: Origin
  readonly route: Route
  /** In upper case, as it is sent. */
  readonly method: string
  /** Path and query exactly as judged; sent byte for byte, but for `splices`. */
  readonly path: string
  /** Keys in path and query, in order; absent where there are none. */
  readonly splices?: readonly PathSplice[] | undefined
  /** Complete and final, Host included; hop-by-hop fields are already gone. */
  readonly headers: RawHeaders
  /** The body, or null where the request has none. */
  readonly body: Readable | null
  /** Trailer fields of the request, read once the body has ended. */
  readonly trailers?: () => RawHeaders
  /** A WebSocket upgrade is wanted: a 101 answer then carries the raw connection. */
  readonly upgrade: boolean
  /** Whether HTTP/2 is spoken where the upstream offers it, since the client does. */
  readonly http2?: boolean
  /** Aborted when the client goes: the upstream's connection is then closed. */
  readonly signal: CallerSignal
  readonly timeouts: { readonly connect: number; readonly head: number; readonly idle: number }
  /** 1xx answers other than 100, which is about this hop's Expect, and 101, as they come; what it throws is dropped. */
  readonly onInformation?: (status: number, headers: RawHeaders) => void
}

/** An answer's head, and its body: the bytes received (transfer coding removed, content coding not). */
export interface Answer {
  readonly status: number
  readonly statusText: string
  readonly headers: RawHeaders
  /** A Buffer where all of it came together with the head. */
  readonly body: Readable | Buffer
  /** Trailer fields, known once the body has ended. */
  readonly trailers: () => RawHeaders
  /** The address that was dialled, `ip:port`. */
  readonly address: string
  /** Set on 101 only: the connection after the head, first bytes included. */
  readonly socket?: Duplex
}

/** Why an upstream gave no whole answer. `sent` says what is known of the request's bytes. */
export interface UpstreamFault extends Error {
  readonly code: 'upstream_failed' | 'upstream_invalid' | 'upstream_timeout' | 'address_refused'
  readonly sent: 'no' | 'unknown'
  /** For address_refused: the address and its named class, such as `loopback`. */
  readonly got?: string
}

export interface Upstream {
  /**
   * Sends one request. `permit` must be for this very request: the driver compares
   * `permit.target` with what it is about to send and throws a TypeError where they differ.
   */
  send(request: UpstreamRequest, permit: Permit): Promise<Answer>
  /**
   * Sends a request of the gateway's own to what the configuration alone names, such as a token endpoint: no client
   * chose any of it, so that nobody had to be asked. Addresses and certificates are checked as always.
   */
  sendOwn(request: UpstreamRequest): Promise<Answer>
  /** Opens a raw connection for a tunnel that is not intercepted; its target is `CONNECT <scheme>://<host>:<port>`. */
  connect(
    origin: Origin,
    route: Route,
    permit: Permit,
    options: { readonly signal: CallerSignal; readonly timeout: number },
  ): Promise<{ readonly socket: Duplex; readonly address: string }>
  close(): Promise<void>
}
