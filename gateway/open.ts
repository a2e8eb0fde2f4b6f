import type { Clock } from '../adapters/clock/port.ts'
import type { Permit, Revocations, VerifiedToken } from '../policy/index.ts'

/** Why an open exchange was cut by the gateway. */
export type CutReason = 'expired' | 'revoked' | 'stopped'

/** One exchange under way; its stages say what is to be done when it must end before its time. */
export interface Watch {
  /** Set once the exchange was cut. */
  readonly cut: CutReason | undefined
  onCut(action: (reason: CutReason) => void): void
  /** The exchange has ended by itself. */
  done(): void
}

/**
 * Exchanges under way. Expiry and revocation hold on open streams, tunnels and sockets too: a sweep once in
 * `sweepMs` asks for each, which costs less than a timer for each.
 */
export interface OpenExchanges {
  add(token: VerifiedToken, permit: Permit): Watch
  readonly size: number
  /** Cuts everything that is still open. */
  stop(): void
}

export interface OpenExchangesOptions {
  readonly clock: Clock
  readonly revocations: Revocations
  readonly sweepMs?: number
}

export function createOpenExchanges({
  clock,
  revocations,
  sweepMs = 500,
}: OpenExchangesOptions): OpenExchanges {
  const open = new Set<OpenExchange>()
  const sweep = () => {
    const now = clock.now()
    for (const exchange of open) {
      const reason = exchange.mustEnd(now, revocations)
      if (reason !== undefined) exchange.end(reason)
    }
  }
  const timer = setInterval(sweep, sweepMs)
  timer.unref()
  return {
    add(token, permit) {
      const exchange = new OpenExchange(token, permit, () => open.delete(exchange))
      open.add(exchange)
      return exchange
    },
    get size() {
      return open.size
    },
    stop() {
      clearInterval(timer)
      for (const exchange of open) exchange.end('stopped')
    },
  }
}

class OpenExchange implements Watch {
  cut: CutReason | undefined
  readonly #token: VerifiedToken
  readonly #permit: Permit
  readonly #forget: () => void
  readonly #actions: ((reason: CutReason) => void)[] = []

  constructor(token: VerifiedToken, permit: Permit, forget: () => void) {
    this.#token = token
    this.#permit = permit
    this.#forget = forget
  }

  onCut(action: (reason: CutReason) => void): void {
    if (this.cut === undefined) this.#actions.push(action)
    else action(this.cut)
  }

  done(): void {
    this.#forget()
  }

  mustEnd(now: number, revocations: Revocations): CutReason | undefined {
    if (this.#permit.expires !== undefined && now >= this.#permit.expires) return 'expired'
    return isRevoked(this.#token, revocations) ? 'revoked' : undefined
  }

  end(reason: CutReason): void {
    this.cut = reason
    this.#forget()
    for (const action of this.#actions) action(reason)
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
