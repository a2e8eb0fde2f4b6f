import type { Clock } from '../adapters/clock/port.ts'
import type { Ledger } from '../adapters/ledger/port.ts'
import type { ErrorCode } from './errors.ts'
import { fateOf } from './ledger-fate.ts'
import { newId } from './ids.ts'
import type { Log } from './ports.ts'

/**
 * Attempts whose token does not verify cost a receipt each, which a flood of them could make the ledger's whole
 * work: past so many in a second they share one aggregated receipt (formats, section 4).
 */
export interface Flood {
  /** True where this attempt is counted in the second's aggregated receipt, and needs none of its own. */
  takes(code: ErrorCode): boolean
  /** Writes what is counted. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export interface FloodOptions {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Log
  /** Attempts in one second that get a receipt of their own. */
  readonly perSecond?: number
}

export function createFlood({ ledger, clock, log, perSecond = 50 }: FloodOptions): Flood {
  let second = 0
  let single = 0
  let counts = new Map<ErrorCode, number>()
  /** The next one has them with its own. */
  const again = (taken: ReadonlyMap<ErrorCode, number>) => {
    for (const [code, many] of taken) counts.set(code, (counts.get(code) ?? 0) + many)
  }
  const flush = async () => {
    if (counts.size === 0) return
    const taken = counts
    const codes = Object.fromEntries(taken)
    counts = new Map()
    const now = new Date(clock.now()).toISOString()
    const total = Object.values(codes).reduce((sum, count) => sum + count, 0)
    await ledger
      .refusal({
        id: newId(),
        opened: now,
        closed: now,
        origin: 'gateway',
        outcome: 'refused',
        ran: false,
        aggregated: { total, codes },
      })
      .catch((error: unknown) => {
        log.error({ error, total }, 'an aggregated receipt could not be recorded')
        const fate = fateOf(error)
        if (fate === undefined) again(taken)
        else void fate.then((kept) => kept || again(taken))
      })
  }
  const timer = setInterval(() => void flush(), 1000)
  timer.unref()
  return {
    takes(code) {
      const now = Math.floor(clock.now() / 1000)
      if (now !== second) {
        second = now
        single = 0
      }
      single += 1
      if (single <= perSecond) return false
      counts.set(code, (counts.get(code) ?? 0) + 1)
      return true
    },
    flush,
    stop() {
      clearInterval(timer)
      return flush()
    },
  }
}
