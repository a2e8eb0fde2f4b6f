import Database from 'better-sqlite3'
import type { Reservation, UseCounters, UseLimit } from './port.ts'
import { unavailable } from './unavailable.ts'

/** Counters are looked through for what can be forgotten once in so many reservations. */
const PRUNE_EVERY = 1000

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS uses (
    link    TEXT PRIMARY KEY,
    used    INTEGER NOT NULL,
    expires INTEGER -- ms since the epoch; NULL: never
  ) STRICT, WITHOUT ROWID
`

type Reserved = Awaited<ReturnType<UseCounters['reserve']>>

/** Opened counters; close them when the gateway stops. */
export interface EmbeddedUses extends UseCounters {
  close(): void
}

/**
 * Counters in an SQLite file that several processes may share. A reservation is durable against the end of the
 * process (WAL without a sync per commit), not against a power cut, which may forget the last ones.
 */
export function openEmbeddedUses(options: {
  readonly file: string
  readonly now?: () => number
}): EmbeddedUses {
  const { file, now = Date.now } = options
  const db = new Database(file, { timeout: 2000 })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(SCHEMA)
  const take = db.prepare(
    `INSERT INTO uses (link, used, expires) SELECT @link, 1, @expires WHERE @limit > 0
     ON CONFLICT (link) DO UPDATE SET used = used + 1 WHERE used < @limit`,
  )
  const give = db.prepare('UPDATE uses SET used = used - 1 WHERE link = ? AND used > 0')
  const look = db.prepare<[string], { used: number }>('SELECT used FROM uses WHERE link = ?')
  const prune = db.prepare('DELETE FROM uses WHERE expires < ?')
  const usedOf = (link: string): number => look.get(link)?.used ?? 0

  const reserve = db.transaction((lines: readonly UseLimit[]): Reserved => {
    const spent = lines
      .map(({ link, limit }) => ({ link, limit, used: usedOf(link) }))
      .filter(({ used, limit }) => used >= limit)
    if (spent.length > 0) return { ok: false, spent }
    for (const { link, limit, expires } of lines) {
      const { changes } = take.run({ link, limit, expires: expires ?? null })
      // Cannot be while this transaction holds the write lock; if it is, nothing at all is taken.
      if (changes !== 1)
        throw new Error(`uses ${file}: the counter of \`${link}\` changed underway; try again`)
    }
    return { ok: true, reservation: { links: lines.map(({ link }) => link) } }
  })
  const giveBack = db.transaction((links: readonly string[]) => {
    for (const link of links) give.run(link)
  })

  let reservations = 0
  return {
    reserve: async (lines) =>
      asked(() => {
        if (reservations % PRUNE_EVERY === 0) prune.run(now())
        reservations += 1
        return reserve.immediate(lines)
      }),
    giveBack: async ({ links }: Reservation) => asked(() => giveBack.immediate(links)),
    read: async (links) =>
      asked(() => {
        const used = links.map((link) => [link, look.get(link)?.used] as const)
        return new Map(
          used.flatMap(([link, count]) => (count === undefined ? [] : [[link, count] as const])),
        )
      }),
    close: () => void db.close(),
  }
}

/** What the file cannot answer is told as such: nobody else is at fault. */
function asked<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    return unavailable(error)
  }
}
