import type { Clock } from '../adapters/clock/port.ts'
import type { GrantLimitsConfig } from './config/types.ts'
import { refusal, type Refusal } from './refusal.ts'

/** What the tokens of one grant do together, held within the operator's limits. Each gateway counts for itself. */
export interface GrantLimits {
  /**
   * Takes a place for one call of the grant, and gives what frees it; a second time that does nothing.
   * @throws Refusal `rate_limited`, with the seconds after which there may be room
   */
  enter(grant: string, limits: GrantLimitsConfig): () => void
}

const MINUTE_MS = 60_000
/** From so many grants on, those whose allowance is whole again are forgotten. */
const SWEPT_FROM = 1_000

/**
 * The rate is a leaky bucket (GCRA): of a grant only the time is kept at which its allowance will be whole, so that
 * one that was not used for a minute costs nothing.
 */
export function createGrantLimits(clock: Clock): GrantLimits {
  const wholeAt = new Map<string, number>()
  const running = new Map<string, number>()
  let sweptFrom = SWEPT_FROM

  const countCall = (grant: string, perMinute: number): void => {
    const now = clock.now()
    const whole = Math.max(wholeAt.get(grant) ?? now, now)
    // Never more than a minute ahead, whatever was done to the clock or the limit since.
    const due = Math.min(whole, now + MINUTE_MS) + MINUTE_MS / perMinute
    const wait = due - now - MINUTE_MS
    // Less than a millisecond is what fractions add up to.
    if (wait >= 1) throw tooMany(`${perMinute} calls a minute`, Math.ceil(wait / 1000))
    wholeAt.set(grant, due)
    if (wholeAt.size < sweptFrom) return
    for (const [other, then] of wholeAt) if (then <= now) wholeAt.delete(other)
    sweptFrom = Math.max(SWEPT_FROM, 2 * wholeAt.size)
  }

  return {
    enter(grant, { callsPerMinute, concurrent }) {
      const already = running.get(grant) ?? 0
      if (concurrent !== undefined && already >= concurrent)
        throw tooMany(`${concurrent} calls at one time`, 1)
      if (callsPerMinute !== undefined) countCall(grant, callsPerMinute)
      running.set(grant, already + 1)
      let left = false
      return () => {
        if (left) return
        left = true
        const now = (running.get(grant) ?? 1) - 1
        if (now > 0) running.set(grant, now)
        else running.delete(grant)
      }
    },
  }
}

function tooMany(limit: string, retryAfter: number): Refusal {
  return refusal('rate_limited', 'grant', {
    got: `more than ${limit}`,
    repair: `try again in ${retryAfter} s; the operator sets grants.limits`,
    retryAfter,
  })
}
