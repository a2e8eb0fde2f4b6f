import type { Database } from '../postgres/port.ts'
import type { ReserveAnswer, UseCounters, UseLimit } from './port.ts'
import { unavailable } from './unavailable.ts'

/** Counters are looked through for what can be forgotten once in so many statements. */
const PRUNE_EVERY = 1000
/** Gateways' clocks differ from the database's; a counter is kept for so much longer than any token could need it. */
const PRUNE_AFTER = '1 hour'

interface Row {
  readonly taken: number
  readonly link: string
  readonly used: number
}

type Waiting = (answer: Promise<ReserveAnswer>) => void

/**
 * Counters in PostgreSQL, shared by all gateways. Calls of one chain that wait at the same time are reserved in one
 * statement, which takes as many uses as there is room for and no more: a hot token costs one commit for many calls,
 * and no use lies idle in a gateway.
 */
export function openPostgresUses(options: {
  readonly database: Pick<Database, 'query'>
}): UseCounters {
  const { database } = options
  const queues = new Map<string, Waiting[]>()
  let statements = 0

  const prune = (): void => {
    if (statements++ % PRUNE_EVERY !== 0) return
    // What cannot be forgotten now is looked for again later. By the one clock that all gateways share: one whose own
    // is ahead would forget counters that the others still need.
    database
      .query(
        `DELETE FROM narrowgate.uses
         WHERE expires < extract(epoch FROM now() - interval '${PRUNE_AFTER}') * 1000`,
        [],
      )
      .catch(() => undefined)
  }

  const take = async (lines: readonly UseLimit[], times: number): Promise<readonly Row[]> => {
    prune()
    const wanted = lines.map(({ link, limit, expires }) => ({ link, most: limit, expires }))
    const rows = await database.query<Row>(
      `SELECT taken, at_link AS link, used_now AS used
       FROM narrowgate.reserve($1::text::json, $2::text::int)`,
      [JSON.stringify(wanted), String(times)],
    )
    if (rows.length !== lines.length) throw new Error('not every counter was answered for')
    return rows
  }

  /** Serves all that wait, and those that came meanwhile, until nobody waits. */
  const serve = async (key: string, lines: readonly UseLimit[]): Promise<void> => {
    for (;;) {
      const waiting = queues.get(key) ?? []
      if (waiting.length === 0) return void queues.delete(key)
      queues.set(key, [])
      const taking = take(lines, waiting.length).catch(unavailable)
      for (const [at, answer] of waiting.entries())
        answer(taking.then((rows) => answerOf(lines, rows, at)))
      await taking.catch(() => undefined)
    }
  }

  return {
    async reserve(lines) {
      const key = JSON.stringify(lines)
      return new Promise((resolve) => {
        const queue = queues.get(key)
        if (queue !== undefined) return void queue.push(resolve)
        queues.set(key, [resolve])
        void serve(key, lines)
      })
    },
    async giveBack({ links }) {
      await database
        .query('SELECT narrowgate.give_back($1::text::json)', [JSON.stringify(links)])
        .catch(unavailable)
    },
    async read(links) {
      const rows = await database
        .query<Row>(
          `SELECT link, used FROM narrowgate.uses
           WHERE link IN (SELECT json_array_elements_text($1::text::json))`,
          [JSON.stringify(links)],
        )
        .catch(unavailable)
      return new Map(rows.map(({ link, used }) => [link, used]))
    },
  }
}

/** Of those that waited together the first ones are let through. */
function answerOf(lines: readonly UseLimit[], rows: readonly Row[], at: number): ReserveAnswer {
  if (at < (rows[0]?.taken ?? 0))
    return { ok: true, reservation: { links: lines.map(({ link }) => link) } }
  const used = new Map(rows.map((row) => [row.link, row.used]))
  const spent = lines.flatMap(({ link, limit }) => {
    const count = used.get(link) ?? 0
    return count >= limit ? [{ link, limit, used: count }] : []
  })
  return { ok: false, spent }
}
