import type { Clock } from '../adapters/clock/port.ts'
import type { Secret } from '../adapters/keys/port.ts'
import type { Ledger } from '../adapters/ledger/port.ts'
import type { BodyStore } from '../adapters/objects/port.ts'
import type { Upstream } from '../adapters/upstream/port.ts'
import type { Router } from '../catalog/index.ts'
import type { Decider, Revocations, UseCounters, VerifiedToken } from '../policy/index.ts'
import type { Config } from './config/types.ts'
import type { ErrorCode } from './errors.ts'
import type { Outcome } from './outcome.ts'
import type { KeyRing } from './keyring.ts'
import type { Timing } from './timing.ts'
import type { Wants } from './wants.ts'

/** What was loaded from the configuration, whole: an exchange takes it once and keeps it to its end. */
export interface Snapshot {
  readonly config: Config
  readonly router: Router
  readonly keyring: KeyRing
  readonly secrets: ReadonlyMap<string, Secret>
}

/** What the exchange counts; the names are those of the Prometheus metrics. */
export interface ExchangeMetrics {
  accepted(): void
  /** A request without any credential, answered with 401 or 407: a counter, no receipt. */
  challenged(): void
  ended(outcome: Outcome, code: ErrorCode | undefined, timing: Timing): void
  /** Uses that a call let through took from its token, one for each `uses` line. */
  usesSpent(count: number): void
  lost(what: 'receipt' | 'aggregated'): void
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
  readonly verifier: { verify(text: string): VerifiedToken }
  readonly decider: Decider
  readonly uses: UseCounters
  readonly revocations: Revocations
  readonly ledger: Ledger
  readonly bodies: BodyStore
  readonly upstream: Upstream
  readonly wants: Wants
  readonly metrics: ExchangeMetrics
  readonly log: Log
  /** The configuration in force now. */
  snapshot(): Snapshot
  /** What is not ready yet; empty when calls may be let through. */
  notReady(): readonly string[]
}
