import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Origin } from '../../adapters/upstream/port.ts'
import type { Engine, MountConfig } from '../config/types.ts'
import type { Exchange, Knock, Reply } from '../knock.ts'
import type { Limits } from '../limits.ts'
import type { LeafCache } from '../tls/leaf-cache.ts'
import type { Connections } from './connections.ts'
import type { Tunnels } from './tunnels.ts'

/** Whether a CONNECT gets its tunnel, and whether the gateway ends the tunnel itself to judge each request in it. */
export type Admission =
  | { readonly ok: true; readonly intercept: boolean }
  | { readonly ok: false; readonly reply: Reply }

/** Judges the credential of a CONNECT, and nothing else: what is asked for is judged inside the tunnel. */
export type Admit = (
  credential: string | undefined,
  origin: Origin,
  peer: string,
) => Promise<Admission>

/** What the doors tell an operator; never given a header's value or a token. */
export interface DoorLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** What the doors count. */
export interface DoorMetrics {
  tunnelOpened(): void
  tunnelClosed(): void
  /** A request that the HTTP parser refused: it reached no exchange and leaves no receipt. */
  unreadable(status: number): void
  /** What was turned away unheard, since there was too much of it. */
  shed(what: 'connection' | 'tunnel'): void
  /** A TLS handshake inside a tunnel that came to nothing; mostly clients that do not trust the CA. */
  handshakeFailed(): void
}

/** What every door needs from outside. */
export interface DoorPorts {
  readonly exchange: Exchange
  readonly admit: Admit
  /** The mounts in force now: a reload may change them. */
  readonly mounts: () => readonly MountConfig[]
  /** Serves `/g/…`, `/w/…`, `/a/…`, `/ledger/exchanges/…`, `/healthz` and `/readyz`. */
  readonly holder: (req: IncomingMessage, res: ServerResponse) => void
  /** Name of the field with a refusal's code, as it is in force now. */
  readonly refusedHeader: () => string
  /** Who serves plain HTTP/1.1: the fast engine, or the general one alone. */
  readonly engine: Engine
  readonly limits: Limits
  readonly log: DoorLog
  readonly metrics?: DoorMetrics
}

/** The ports with what the doors of one listener share. */
export interface Doors extends DoorPorts {
  readonly leaves: LeafCache
  readonly connections: Connections
  readonly tunnels: Tunnels
}

/** Where a request goes and who asks, as far as its head tells. */
export type Addressed = Pick<
  Knock,
  'door' | 'shape' | 'origin' | 'path' | 'credential' | 'inPath' | 'mount' | 'fault'
>

/** Stands for the origin of a request whose target cannot be read; such a request always carries a fault. */
export const NOWHERE: Origin = { scheme: 'http', host: 'unknown.invalid', port: 80 }
