import type { LedgerRecord } from '../port.ts'

/** An event as the index gives it out: without what places its record in the log. */
export function eventOf(seq: number, json: string): LedgerRecord {
  const { kind: _kind, n: _n, ...event } = JSON.parse(json) as Record<string, unknown>
  return { seq, ...event }
}
