import { newId } from './ids.ts'
import type { Place } from '../adapters/ledger/port.ts'
import type { Reason, Reservation, VerifiedToken } from '../policy/index.ts'
import type { Call } from './call.ts'
import type { BodyNote } from './outcome.ts'
import type { Knock } from './knock.ts'
import type { Watch } from './open.ts'
import type { Ports, Snapshot } from './ports.ts'
import type { Refusal } from './refusal.ts'
import type { Stage, Timing } from './timing.ts'

/**
 * What is noted along the way of one exchange; the receipt is written from it. Each stage adds what it
 * found, and a later stage never takes an earlier note back.
 */
export interface Notes {
  readonly id: string
  readonly knock: Knock
  /** The configuration as it was when the call came in: it holds to the call's end. */
  readonly snapshot: Snapshot
  /** Milliseconds since the epoch. */
  readonly opened: number
  /** Milliseconds each stage took. */
  readonly timing: Timing
  /** When the last stage ended, on the monotonic clock. */
  lapped: number
  token?: VerifiedToken
  /** The token as it was judged, with the leash that its grant had then. */
  judged?: VerifiedToken
  /** Who is signed in, by a session that holds. */
  person?: string
  /** When that session ends, in milliseconds since the epoch. */
  sessionExpires?: number
  call?: Call
  /** What guardrails in shadow mode would have refused the call for. */
  shadowed?: readonly Reason[]
  reservation?: Reservation
  /** Name of the key that was put in, never its value. */
  key?: string
  /** Set once the intent is durable: from here on an outcome is owed. */
  intent?: Place
  /** Why the intent was given up while it was being written: it may come to be kept, and is then closed by the ledger. */
  adrift?: unknown
  /** Asked before the policy engine reads lines anew; absent where that is not counted. */
  reading?: (length: number) => void
  /** Frees the place that the call has among those of its grant. */
  leave?: () => void
  /** Follows the exchange while it is under way. */
  watch?: Watch
  /** Address that was dialled. */
  address?: string
  status?: number
  /** Why the request's body was broken off on its way. */
  stopped?: Refusal
  /** The request's body on its way upstream. */
  request?: { finish(): Promise<BodyNote> }
  /** What the upstream answered. */
  response?: BodyNote
  /** What the client got, where that is not what the upstream answered. */
  delivered?: BodyNote
  projected?: readonly [before: number, after: number]
  /** Set when the outcome has been handed to the ledger, resolved when it is durable: an exchange has one end. */
  closing?: Promise<void>
}

export function openNotes(knock: Knock, ports: Pick<Ports, 'clock' | 'snapshot'>): Notes {
  return {
    id: newId(),
    knock,
    snapshot: ports.snapshot(),
    opened: ports.clock.now(),
    timing: {},
    lapped: performance.now(),
  }
}

/** Notes how long the stage took whose result this is: milliseconds since the one before, to three places. */
export function lap<T>(notes: Notes, stage: Stage, result: T): T {
  const now = performance.now()
  notes.timing[stage] = Math.round((now - notes.lapped) * 1000) / 1000
  notes.lapped = now
  return result
}
