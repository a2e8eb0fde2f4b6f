import type { Clock } from '../adapters/clock/port.ts'
import type { Grants } from '../adapters/grants/port.ts'
import type {
  Decider,
  Leashing,
  Permit,
  Reason,
  Revocations,
  TokenVerifier,
  VerifiedToken,
} from '../policy/index.ts'
import type { Call } from './call.ts'
import { reasonsAgainstHolder } from './token-lines.ts'

/** Why an open exchange was cut by the gateway. */
export type CutReason = 'expired' | 'signed-out' | 'revoked' | 'leashed' | 'late' | 'stopped'

/** One exchange under way; its stages say what is to be done when it must end before its time. */
export interface Watch {
  /** Set once the exchange was cut. */
  readonly cut: CutReason | undefined
  /** What a new leash has against it; none unless it was cut for that. */
  readonly against: readonly Reason[]
  /** Looks at once, as the next sweep would, whether the exchange must end, and cuts it then. */
  look(): void
  onCut(action: (reason: CutReason) => void): void
  /** Says a last word before a cut for the grant's sake; the cut waits until it is said. */
  onFarewell(say: (reason: CutReason) => Promise<void>): void
  /** The exchange has ended by itself. */
  done(): void
}

/** What is under way, and under which lines it was let through. */
export interface Underway {
  readonly token: VerifiedToken
  /** The token with the leash that its grant had at the decision. */
  readonly judged: VerifiedToken
  /** The call, or who holds the token where it is a connection that waits for calls. */
  readonly call: Pick<Call, 'ask'> | { readonly holder: string | undefined }
  readonly permit: Pick<Permit, 'expires'>
  /** When it must have ended, in milliseconds since the epoch; undefined for what may go on as long as it likes. */
  readonly until?: number | undefined
  /** When the person's session ends that it was made with, in milliseconds since the epoch. */
  readonly sessionExpires?: number | undefined
}

/**
 * Exchanges under way. Expiry, revocation and a new leash hold on open streams, tunnels and sockets too: a sweep once
 * in `sweepMs`, and at once after a change, asks for each, which costs less than a timer for each.
 */
export interface OpenExchanges {
  add(underway: Underway): Watch
  readonly size: number
  /** Cuts everything that is still open. */
  stop(): void
}

/** What says whether an exchange may still be open. */
interface Judges {
  readonly verifier: Pick<TokenVerifier, 'holds'>
  readonly revocations: Revocations
  readonly leash: Leashing
  readonly decider: Pick<Decider, 'judge'>
}

export interface OpenExchangesOptions extends Judges {
  readonly revocations: Revocations & Pick<Grants, 'onChange'>
  readonly clock: Clock
  readonly sweepMs?: number
}

export function createOpenExchanges({
  clock,
  sweepMs = 500,
  ...judges
}: OpenExchangesOptions): OpenExchanges {
  const open = new Set<OpenExchange>()
  const sweep = () => {
    const now = clock.now()
    for (const exchange of open) exchange.lookAt(now)
  }
  const timer = setInterval(sweep, sweepMs)
  timer.unref()
  const stopListening = judges.revocations.onChange(sweep)
  return {
    add(underway) {
      const forget = () => open.delete(exchange)
      const exchange = new OpenExchange(underway, { clock, judges, forget })
      open.add(exchange)
      return exchange
    },
    get size() {
      return open.size
    },
    stop() {
      clearInterval(timer)
      stopListening()
      for (const exchange of open) exchange.end('stopped')
    },
  }
}

interface Around {
  readonly clock: Clock
  readonly judges: Judges
  readonly forget: () => void
}

class OpenExchange implements Watch {
  cut: CutReason | undefined
  against: readonly Reason[] = []
  readonly #underway: Underway
  #judged: VerifiedToken
  readonly #around: Around
  #farewell: (reason: CutReason) => Promise<void> = () => Promise.resolve()
  readonly #actions: ((reason: CutReason) => void)[] = []

  constructor(underway: Underway, around: Around) {
    this.#underway = underway
    this.#judged = underway.judged
    this.#around = around
  }

  look(): void {
    this.lookAt(this.#around.clock.now())
  }

  lookAt(now: number): void {
    if (this.cut !== undefined) return
    const reason = this.#mustEnd(now)
    if (reason !== undefined) this.end(reason)
  }

  onCut(action: (reason: CutReason) => void): void {
    if (this.cut === undefined) this.#actions.push(action)
    else action(this.cut)
  }

  onFarewell(say: (reason: CutReason) => Promise<void>): void {
    this.#farewell = say
  }

  done(): void {
    this.#around.forget()
  }

  #mustEnd(now: number): CutReason | undefined {
    const { token, permit, until, sessionExpires } = this.#underway
    const { judges } = this.#around
    if (until !== undefined && now >= until) return 'late'
    if (permit.expires !== undefined && now >= permit.expires) return 'expired'
    if (sessionExpires !== undefined && now >= sessionExpires) return 'signed-out'
    // The build key that made it may have gone from the configuration.
    if (!judges.verifier.holds(token)) return 'revoked'
    if (isRevoked(token, judges.revocations)) return 'revoked'
    try {
      if (this.#isHeldBack(now)) return 'leashed'
    } catch {
      return 'revoked'
    }
    return now >= (this.#judged.expires ?? Infinity) ? 'expired' : undefined
  }

  /** Whether the grant's leash has grown since, and forbids what is under way. Throws where it cannot be read. */
  #isHeldBack(now: number): boolean {
    const { token, call } = this.#underway
    const { leash, decider } = this.#around.judges
    const judged = leash(token)
    if (judged === this.#judged) return false
    this.#judged = judged
    if ('holder' in call) {
      this.against = reasonsAgainstHolder(judged, call.holder, now)
      return this.against.length > 0
    }
    const { allow, reasons } = decider.judge(judged, { ...call.ask, now })
    this.against = reasons
    return !allow
  }

  end(reason: CutReason): void {
    this.cut = reason
    this.#around.forget()
    const act = () => {
      for (const action of this.#actions) action(reason)
    }
    // A gateway that stops has given its time already.
    if (reason === 'stopped') act()
    else void this.#farewell(reason).finally(act)
  }
}

/** Where revocations cannot be read nothing stays open: the next call would be refused as well. */
function isRevoked({ id, links }: VerifiedToken, revocations: Revocations): boolean {
  try {
    return revocations.revoked(id, links) !== undefined
  } catch {
    return true
  }
}
