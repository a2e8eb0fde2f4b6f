import type { Duplex, Readable } from 'node:stream'
import type { CallerSignal, Origin, RawHeaders } from '../adapters/upstream/port.ts'
import type { Way } from '../policy/index.ts'
import type { Refusal } from './refusal.ts'

/** How the request came over the wire; every shape is judged by the same rules. */
export type Shape =
  | 'absolute'
  | 'tunnel-tls'
  | 'tunnel-clear'
  | 'tunnel-blind'
  | 'mount'
  /** For the gateway's own store. */
  | 'store'
  /** For a tool of an MCP server. */
  | 'mcp'
  /** For a tool by its name. */
  | 'run'

/** A drop-in mount as the exchange needs it. */
export interface MountPoint {
  /** Path prefix (`/openai`) or host under which the mount is served; for texts and receipts. */
  readonly name: string
  /** The header in which the client sent its token; the upstream's key takes that place. */
  readonly slot: string
}

/** One request as a door heard it: raw, one form for all doors. Nothing in it has been believed yet. */
export interface Knock {
  readonly door: Way
  readonly shape: Shape
  /** The client's address, `ip:port`. */
  readonly peer: string
  readonly httpVersion: '1.0' | '1.1' | '2'
  readonly method: string
  /** Where the request wants to go: canonical, from the request target, the tunnel or the mount. */
  readonly origin: Origin
  /** Path and query as they will be judged and sent, byte for byte. */
  readonly path: string
  /** As received, in order and case (HTTP/2: lower case, without pseudo-headers). */
  readonly headers: RawHeaders
  /** The candidate token, or undefined where no credential was sent. Never logged. */
  readonly credential: string | undefined
  /** True where the token stood in the path: the address is a secret then. */
  readonly inPath?: boolean | undefined
  readonly body: Readable | null
  readonly trailers: () => RawHeaders
  readonly upgrade: boolean
  readonly mount?: MountPoint | undefined
  /** A request that is malformed or contradicts itself, found by the door; refused with this. */
  readonly fault?: KnockFault | undefined
  /** What was found wrong with it before the exchange; said once the token has held. */
  readonly refused?: Refusal | undefined
  /** The batch that it is a call of. */
  readonly batch?: string | undefined
  /** How long the call may take in milliseconds, where its caller said so. */
  readonly within?: number | undefined
  /** Set where the call is judged and not made. */
  readonly dryRun?: true | undefined
  readonly retries?: Retries | undefined
  /** Aborted when the client goes, or by `cancel`. */
  readonly signal: CallerSignal
  /** Ends what goes on for this request, as if the client had gone. */
  readonly cancel: () => void
  /** Tells the client to send its body (HTTP `100 Continue`); called after the decision, before the body is read. */
  readonly proceed: () => void
  /** Passes a 1xx answer on to the client. */
  readonly inform: (status: number, headers: RawHeaders) => void
}

/** How a call is made again that did not come to anything. */
export interface Retries {
  /** So many times at most. */
  readonly most: number
  /** The request's body once more. */
  body(): Readable | null
}

export interface KnockFault {
  readonly code: 'malformed_request' | 'authority_mismatch' | 'headers_too_large' | 'too_large'
  readonly got: string
  readonly repair: string
  /** Where it is not the code's own: 414 for a target that is too long. */
  readonly status?: number
  /** Where the request ends is in doubt, so that nothing behind it is read: the connection ends with the answer. */
  readonly closes?: boolean
}

/** The answer as a door writes it. */
export interface Reply {
  readonly status: number
  readonly statusText?: string
  /** Complete but for framing and hop-by-hop fields, which are the door's. */
  readonly headers: RawHeaders
  /** Null where the answer has no body; a Buffer is written with its Content-Length. */
  readonly body: Readable | Buffer | null
  readonly trailers?: () => RawHeaders
  /** On a switched protocol (101): the upstream's side of the connection. */
  readonly socket?: Duplex
  /** Close the client's connection after this answer. */
  readonly close?: boolean
}

/** The way of a call, as doors see it. It never rejects: every outcome is a Reply. */
export type Exchange = (knock: Knock) => Promise<Reply>
