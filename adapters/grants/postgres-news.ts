import type { Database } from '../postgres/port.ts'
import type { Change, Memory } from './memory.ts'

interface Row {
  /** The last number that was given to a change. */
  readonly last: number
  /** Null where there is no change. */
  readonly seq: number | null
  readonly subject: string
  /** JSON text; null of a revocation. */
  readonly lines: string | null
}

const CHANGES = `
  SELECT s.last_value::float8 AS last, c.seq::float8 AS seq, c.subject, c.lines
  FROM narrowgate.change s LEFT JOIN (
    SELECT seq, subject, NULL::text AS lines FROM narrowgate.revocations WHERE seq > $1::text::bigint
    UNION ALL
    SELECT seq, id, lines::text FROM narrowgate.leashes WHERE seq > $1::text::bigint
  ) c ON true
  ORDER BY c.seq
`

/** Keeps a memory as fresh as the database's announcements, a regular look, or else a look for each call can make it. */
export interface News {
  /** Resolves when the memory may be relied on; rejects where the database cannot be read. */
  fresh(): Promise<void>
  /** Looks at the database, later than now. */
  look(): Promise<void>
  /** Throws where the last look is so old that even what is open already must end. */
  check(): void
  ready(): boolean
  close(): void
}

export interface NewsOptions {
  readonly database: Pick<Database, 'query' | 'listen'>
  readonly memory: Memory
  readonly pollMs: number
  /** How long the announcements, and how long all looks, may fail before they are not relied on. */
  readonly staleMs: number
}

/** Reads all changes, then keeps up with them. Rejects where the first look fails. */
export async function followChanges(options: NewsOptions): Promise<News> {
  const { database, memory, pollMs, staleMs } = options
  let cursor = 0
  /** Whether the next look reads everything. */
  let whole = true
  let looked = -Infinity
  /** Since when nothing is announced; undefined while the channel is heard. */
  let deafSince: number | undefined = performance.now()

  const read = async (): Promise<void> => {
    const began = performance.now()
    const from = whole ? 0 : cursor
    whole = false
    try {
      const rows = await database.query<Row>(CHANGES, [String(from)])
      // A database that was set back counts on from an older number, and would hide what comes.
      if ((rows[0]?.last ?? 0) < from) throw new Error('revocations: the database was set back')
      const changes = rows.filter(({ seq }) => seq !== null)
      if (from === 0) memory.reset(changes.map(changeOf))
      else memory.add(changes.map(changeOf))
      cursor = changes.at(-1)?.seq ?? from
      looked = began
    } catch (error) {
      whole = true
      throw error
    }
  }
  const look = oneAtATime(read)
  const lookSoon = () => void look().catch(() => undefined)
  database.listen({
    news: lookSoon,
    up() {
      deafSince = undefined
      // What was announced while nobody listened is found by reading all of it: the server may be another one now.
      whole = true
      lookSoon()
    },
    down() {
      deafSince = performance.now()
    },
  })
  await look()
  const timer = setInterval(lookSoon, pollMs)
  timer.unref()

  const age = () => performance.now() - looked
  const deaf = () => deafSince !== undefined && performance.now() - deafSince > staleMs
  return {
    look,
    async fresh() {
      if (deaf() || age() > staleMs) await look()
    },
    check() {
      // Whoever asks has waited for `fresh` a moment ago, or looks after what is open once in a while.
      if (age() <= 2 * staleMs) return
      throw new Error(
        `revocations: the database was not read for ${Math.round(age())} ms; check that it runs and answers`,
      )
    },
    ready: () => age() <= staleMs,
    close: () => clearInterval(timer),
  }
}

function changeOf({ subject, lines }: Row): Change {
  return lines === null ? { subject } : { subject, leash: JSON.parse(lines) as string[] }
}

/** Runs work that begins after the call, together for all that ask while an earlier run is under way. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    const run = work().finally(() => {
      if (running === run) running = undefined
    })
    running = run
    return run
  }
  const after = async (before: Promise<void>): Promise<void> => {
    await before.catch(() => undefined)
    next = undefined
    await start()
  }
  return () => {
    if (running === undefined) return start()
    next ??= after(running)
    return next
  }
}
