import type Database from 'better-sqlite3'
import type { BodyErasure, LedgerRecord } from '../port.ts'

/** Finds the last erasure of each of some bodies, on one connection. */
export function createErasures(
  db: Database.Database,
): (hashes: readonly string[]) => readonly BodyErasure[] {
  // As the index has it, or the table would be read whole.
  const last = db
    .prepare<[string], string>(
      `SELECT record FROM events
       WHERE json_extract(record, '$.event') = 'body_erased' AND json_extract(record, '$.subject') = ?
       ORDER BY seq DESC LIMIT 1`,
    )
    .pluck()
  return (hashes) =>
    hashes.flatMap((sha256) => {
      const record = last.get(sha256)
      return record === undefined ? [] : [erasureOf(sha256, JSON.parse(record) as LedgerRecord)]
    })
}

function erasureOf(sha256: string, { at, actor, data }: LedgerRecord): BodyErasure {
  const { why } = (data ?? {}) as Readonly<Record<string, unknown>>
  // Logs from before events had a time have none.
  return { sha256, at: typeof at === 'string' ? at : null, by: String(actor), why: String(why) }
}
