import { LRUCache } from 'lru-cache'
import type { Clock } from '../../adapters/clock/port.ts'

const MOST = 10
const WINDOW_MS = 60_000
const ADDRESSES = 10_000

/** Counts failures for each address in windows of a minute. */
export interface FailureLimit {
  /** Seconds until the address may fail again, once it has failed too often. */
  note(address: string): number | undefined
}

export function createFailureLimit(clock: Clock): FailureLimit {
  const windows = new LRUCache<string, { readonly since: number; count: number }>({
    max: ADDRESSES,
  })
  return {
    note(address) {
      const now = clock.now()
      const known = windows.get(address)
      const current =
        known !== undefined && now - known.since < WINDOW_MS ? known : { since: now, count: 0 }
      current.count += 1
      windows.set(address, current)
      if (current.count <= MOST) return undefined
      return Math.max(1, Math.ceil((current.since + WINDOW_MS - now) / 1000))
    },
  }
}
