import Database from 'better-sqlite3'
import type { Grant, GrantEvent, Grants } from './port.ts'

const DEFAULT_POLL_MS = 200
/** Revocations that could not be refreshed for so long are not relied on: a revoked token must end within a second. */
const STALE_MS = 1000

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS grants (
    id TEXT PRIMARY KEY, lines TEXT NOT NULL, minted TEXT NOT NULL, minted_by TEXT NOT NULL, task TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS revocations (
    subject TEXT PRIMARY KEY, revoked TEXT NOT NULL, revoked_by TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL) STRICT;
`

interface GrantRow {
  readonly id: string
  readonly lines: string
  readonly minted: string
  readonly minted_by: string
  readonly task: string | null
  readonly revoked: string | null
}

const SELECT_GRANTS = `
  SELECT grants.*, revocations.revoked FROM grants LEFT JOIN revocations ON revocations.subject = grants.id
`

/**
 * Grants in an SQLite file that several processes may share. Revocations are answered from memory; a look at the
 * file's version, every `pollMs`, finds those of other processes.
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
  const post = db.prepare<[string]>('INSERT INTO outbox (event) VALUES (?)')
  const announce = (event: GrantEvent) => void post.run(JSON.stringify(event))
  const cache = createRevocationCache(db, { file, pollMs })
  const { revoke, recordMinted } = writes(db, announce)

  return {
    revoked: cache.revoked,
    revoke(idOrLink, by, now) {
      const fresh = revoke.immediate(idOrLink, by, new Date(now).toISOString())
      cache.refresh()
      return fresh
    },
    recordMinted: (grant) => recordMinted.immediate(grant),
    list: () =>
      db.prepare<[], GrantRow>(`${SELECT_GRANTS} ORDER BY minted DESC, id`).all().map(grantOf),
    get(id) {
      const row = db.prepare<[string], GrantRow>(`${SELECT_GRANTS} WHERE id = ?`).get(id)
      return row && grantOf(row)
    },
    takeOutbox() {
      const rows = db
        .prepare<[], { seq: number; event: string }>('SELECT * FROM outbox ORDER BY seq')
        .all()
      return {
        events: rows.map(({ event }) => JSON.parse(event) as GrantEvent),
        settle: () =>
          void db.prepare('DELETE FROM outbox WHERE seq <= ?').run(rows.at(-1)?.seq ?? 0),
      }
    },
    onChange: cache.onChange,
    close() {
      cache.close()
      db.close()
    },
  }
}

function writes(db: Database.Database, announce: (event: GrantEvent) => void) {
  const addRevocation = db.prepare('INSERT OR IGNORE INTO revocations VALUES (?, ?, ?)')
  const addGrant = db.prepare('INSERT INTO grants VALUES (@id, @lines, @minted, @by, @task)')
  return {
    revoke: db.transaction((subject: string, by: string, at: string): boolean => {
      if (addRevocation.run(subject, at, by).changes === 0) return false
      announce({ event: 'grant_revoked', subject, actor: by, data: { at } })
      return true
    }),
    recordMinted: db.transaction((grant: Grant): void => {
      const { id, lines, minted, by, task } = grant
      addGrant.run({ id, lines: JSON.stringify(lines), minted, by, task: task ?? null })
      const data = { at: minted, lines }
      announce({
        event: 'grant_minted',
        subject: id,
        actor: by,
        ...(task === undefined ? {} : { task }),
        data,
      })
    }),
  }
}

function grantOf(row: GrantRow): Grant & { readonly revoked?: string } {
  const { id, lines, minted, minted_by: by, task, revoked } = row
  const known = { id, lines: JSON.parse(lines) as string[], minted, by }
  return { ...known, ...(task === null ? {} : { task }), ...(revoked === null ? {} : { revoked }) }
}

/** All revoked subjects in memory, as fresh as the last look at the file. */
function createRevocationCache(
  db: Database.Database,
  options: { readonly file: string; readonly pollMs: number },
): Pick<Grants, 'revoked' | 'onChange' | 'close'> & { refresh(): void } {
  const { file, pollMs } = options
  const select = db.prepare<[], string>('SELECT subject FROM revocations').pluck()
  const listeners = new Set<() => void>()
  let subjects: ReadonlySet<string> = new Set(select.all())
  let version = db.pragma('data_version', { simple: true })
  let looked = performance.now()

  const refresh = (): void => {
    const before = subjects.size
    subjects = new Set(select.all())
    // Nothing is ever taken out of the table, so its size tells whether it changed.
    if (subjects.size !== before) for (const listener of listeners) listener()
  }
  const look = (): void => {
    const current = db.pragma('data_version', { simple: true })
    if (current !== version) refresh()
    version = current
    looked = performance.now()
  }
  const timer = setInterval(() => {
    // A look that fails shows as a cache that grows old.
    try {
      look()
    } catch {}
  }, pollMs)
  timer.unref()

  return {
    refresh,
    revoked(id, links) {
      // The timer may be late because the process was busy: then this call looks for itself, or throws.
      if (performance.now() - looked > STALE_MS) lookOrThrow(look, file)
      return subjects.has(id) ? id : links.find((link) => subjects.has(link))
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => clearInterval(timer),
  }
}

function lookOrThrow(look: () => void, file: string): void {
  try {
    look()
  } catch (cause) {
    throw new Error(
      `revocations ${file}: they cannot be read; check the file and its folder's mode`,
      { cause },
    )
  }
}
