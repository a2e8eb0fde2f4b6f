import type { Clock } from '../adapters/clock/port.ts'
import { refusal } from './refusal.ts'

/** What the policy engine reads anew for the tokens of one grant, held within a budget. */
export interface ReadingBudget {
  /**
   * Takes the length of lines from the budget of the grant. One that was not overdrawn before takes any length, so
   * that no token is too long for it.
   * @throws Refusal `rate_limited`, with the seconds after which there is room
   */
  spend(grant: string, length: number): void
}

/** A holder narrows without us: so many characters of lines may be new at once, and so many come back a second. */
const AT_ONCE = 65_536
const EACH_SECOND = 16_384
const FULL_MS = (AT_ONCE / EACH_SECOND) * 1000
/** From so many grants on, those whose budget is whole again are forgotten. */
const SWEPT_FROM = 1_000

/** Of a grant only the time is kept at which its budget will be whole. Each gateway counts for itself. */
export function createReadingBudget(clock: Clock): ReadingBudget {
  const wholeAt = new Map<string, number>()
  let sweptFrom = SWEPT_FROM

  const sweep = (now: number): void => {
    if (wholeAt.size < sweptFrom) return
    for (const [grant, then] of wholeAt) if (then <= now) wholeAt.delete(grant)
    sweptFrom = Math.max(SWEPT_FROM, 2 * wholeAt.size)
  }

  return {
    spend(grant, length) {
      const now = clock.now()
      const cost = (length / EACH_SECOND) * 1000
      // Nobody waits longer than it takes to fill an empty budget, whatever was done to the clock since.
      const whole = Math.min(Math.max(wholeAt.get(grant) ?? now, now), now + 2 * FULL_MS)
      const wait = whole - now - FULL_MS
      if (wait > 0) {
        const retryAfter = Math.ceil(wait / 1000)
        throw refusal('rate_limited', 'grant', {
          got: 'more new lines in a short time than are read for one grant',
          repair: `try again in ${retryAfter} s; make calls with tokens that were used before, or narrow with fewer and shorter lines`,
          retryAfter,
        })
      }
      wholeAt.set(grant, whole + cost)
      sweep(now)
    },
  }
}
