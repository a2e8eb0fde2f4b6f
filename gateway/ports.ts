import type { Clock } from '../adapters/clock/port.ts'
import type { Grants } from '../adapters/grants/port.ts'
import type { Secret } from '../adapters/keys/port.ts'
import type { Ledger } from '../adapters/ledger/port.ts'
import type { BodyStore } from '../adapters/objects/port.ts'
import type { Upstream } from '../adapters/upstream/port.ts'
import type { Router } from '../catalog/index.ts'
import type { Decider, Guard, Leashing, TokenVerifier, UseCounters } from '../policy/index.ts'
import type { Resolvable } from './config/resolve.ts'
import type { Config } from './config/types.ts'
import type { ErrorCode } from './errors.ts'
import type { Outcome } from './outcome.ts'
import type { Inner, InnerShape } from './inner.ts'
import type { KeyRing } from './keyring.ts'
import type { Sessions } from './persons/session.ts'
import type { Timing } from './timing.ts'
import type { Wants } from './wants.ts'

/** What was loaded from the configuration, whole: an exchange takes it once and keeps it to its end. */
export interface Snapshot {
  /** As it was written, with personal keys that are still nobody's. */
  readonly written: Resolvable
  /** The same with the keys that persons have stored. */
  readonly config: Config
  readonly router: Router
  readonly keyring: KeyRing
  readonly secrets: ReadonlyMap<string, Secret>
  /** The guardrails in force; whether they refuse or are only watched is the configuration's to say. */
  readonly guard: Guard
}

/** What the exchange counts; the names are those of the Prometheus metrics. */
export interface ExchangeMetrics {
  accepted(): void
  /** A request without any credential, answered with 401 or 407: a counter, no receipt. */
  challenged(): void
  /** `unknown`: it was sent, and its outcome could not be recorded. */
  ended(outcome: Outcome | 'unknown', code: ErrorCode | undefined, timing: Timing): void
  /** Uses that a call let through took from its token, one for each `uses` line. */
  usesSpent(count: number): void
  /** An exchange of which the ledger has nothing. */
  lost(what: 'receipt'): void
  /** A call that passed, and that a guardrail in shadow mode would have refused. */
  shadowed(): void
}

/** Writes what an operator should see; structured, and never given a secret. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** All that the way of a call needs from outside. */
export interface Ports {
  readonly clock: Clock
  readonly verifier: TokenVerifier
  readonly decider: Decider
  readonly sessions: Pick<Sessions, 'read'>
  readonly uses: UseCounters
  readonly revocations: Pick<Grants, 'fresh' | 'revoked' | 'saw' | 'onChange'>
  /** The token with what its grant's leash says now. Throws where that cannot be read. */
  readonly leash: Leashing
  readonly ledger: Ledger
  readonly bodies: BodyStore
  readonly upstream: Upstream
  /** The gateway's own store and its MCP servers, called as an upstream is. */
  readonly inner: Readonly<Record<InnerShape, Inner>>
  readonly wants: Wants
  readonly metrics: ExchangeMetrics
  readonly log: Log
  /** The configuration in force now. */
  snapshot(): Snapshot
  /** What is not ready yet; empty when calls may be let through. */
  notReady(): readonly string[]
}

/** What it takes to judge a call, and to do nothing else with it. */
export interface JudgingPorts extends Pick<
  Ports,
  | 'clock'
  | 'verifier'
  | 'decider'
  | 'sessions'
  | 'uses'
  | 'revocations'
  | 'leash'
  | 'wants'
  | 'log'
  | 'snapshot'
  | 'notReady'
> {
  readonly metrics: Pick<ExchangeMetrics, 'shadowed'>
  readonly inner: Readonly<Record<InnerShape, Pick<Inner, 'route'>>>
}
