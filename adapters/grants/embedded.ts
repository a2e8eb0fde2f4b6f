import Database from 'better-sqlite3'
import { createEmbeddedMemory } from './embedded-memory.ts'
import { createEmbeddedReads, createEmbeddedWrites } from './embedded-rows.ts'
import type { Grants } from './port.ts'
import { createSightings } from './seen.ts'

const DEFAULT_POLL_MS = 200

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS grants (
    id TEXT PRIMARY KEY, lines TEXT NOT NULL, minted TEXT NOT NULL, minted_by TEXT NOT NULL, task TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS revocations (
    subject TEXT PRIMARY KEY, revoked TEXT NOT NULL, revoked_by TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS leashes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, lines TEXT NOT NULL,
    leashed TEXT NOT NULL, leashed_by TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS children (
    link TEXT PRIMARY KEY, id TEXT NOT NULL, links TEXT NOT NULL, lines TEXT NOT NULL, seen TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS children_of ON children (id, seen);
  CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL) STRICT;
`

/**
 * Grants in an SQLite file that several processes may share. A look at the file's version, every `pollMs`, finds
 * what other processes changed.
 */
export function openEmbeddedGrants(options: {
  readonly file: string
  /** @default 200 */
  readonly pollMs?: number
}): Grants {
  const { file, pollMs = DEFAULT_POLL_MS } = options
  const db = new Database(file, { timeout: 2000 })
  db.pragma('journal_mode = WAL')
  // A revocation is rare, and must outlive a power cut.
  db.pragma('synchronous = FULL')
  db.exec(SCHEMA)
  const memory = createEmbeddedMemory(db, file)
  const { list, get, takeOutbox } = createEmbeddedReads(db)
  const { revoke, leash, recordMinted, recordSeen } = createEmbeddedWrites(db)
  const { saw, take } = createSightings()
  const storeSeen = () => {
    const sightings = take()
    if (sightings.length > 0) recordSeen(sightings)
  }
  const timer = setInterval(() => {
    // A look that fails shows as a memory that grows old; a child that is not stored is a line less in a list.
    try {
      memory.look()
      storeSeen()
    } catch {}
  }, pollMs)
  timer.unref()

  return {
    fresh: async () => memory.freshen(),
    ready: memory.ready,
    revoked: memory.revoked,
    leashOf: memory.leashOf,
    async revoke(idOrLink, by, now) {
      const fresh = revoke(idOrLink, by, new Date(now).toISOString())
      memory.refresh()
      return fresh
    },
    async leash(id, lines, { by, now }) {
      const done = leash({ id, lines, by, at: new Date(now).toISOString() })
      memory.refresh()
      return done
    },
    recordMinted: async (grant) => recordMinted(grant),
    saw,
    list: async () => list(),
    async get(id) {
      storeSeen()
      return get(id)
    },
    takeOutbox: async () => takeOutbox(),
    onChange: memory.onChange,
    async close() {
      clearInterval(timer)
      try {
        storeSeen()
      } finally {
        db.close()
      }
    },
  }
}
