import { MAX_LINES } from '../../policy/index.ts'
import type { Database } from '../postgres/port.ts'
import { leashedEvent, mintedEvent, revokedEvent } from './events.ts'
import { createMemory } from './memory.ts'
import type { Grants } from './port.ts'
import { readGrant, readGrants, storeSightings, takeEvents } from './postgres-rows.ts'
import { followChanges } from './postgres-news.ts'
import { createSightings } from './seen.ts'

const DEFAULT_POLL_MS = 250
const DEFAULT_STALE_MS = 1000

/**
 * Grants in PostgreSQL, shared by all gateways. A change is announced by NOTIFY, and found by a look every `pollMs`
 * where the announcement was lost; without announcements for longer than `staleMs` every call looks for itself.
 */
export async function openPostgresGrants(options: {
  readonly database: Pick<Database, 'query' | 'listen'>
  /** @default 250 */
  readonly pollMs?: number
  /** @default 1000 */
  readonly staleMs?: number
}): Promise<Grants> {
  const { database, pollMs = DEFAULT_POLL_MS, staleMs = DEFAULT_STALE_MS } = options
  const memory = createMemory()
  const news = await followChanges({ database, memory, pollMs, staleMs })
  const { saw, take } = createSightings()
  // What was done is done, and the next look finds it where this one fails.
  const catchUp = () => news.look().catch(() => undefined)
  const storeSeen = () => storeSightings(database, take())
  // A child that is not stored is a line less in a list.
  const timer = setInterval(() => void storeSeen().catch(() => undefined), pollMs)
  timer.unref()

  return {
    fresh: news.fresh,
    ready: news.ready,
    revoked(id, links) {
      news.check()
      return memory.revoked(id, links)
    },
    leashOf(id) {
      news.check()
      return memory.leashOf(id)
    },
    async revoke(idOrLink, by, now) {
      const at = new Date(now).toISOString()
      const [row] = await database.query<{ fresh: boolean }>(
        'SELECT narrowgate.revoke($1::text, $2::text, $3::text, $4::text::json) AS fresh',
        [idOrLink, by, at, JSON.stringify(revokedEvent(idOrLink, by, at))],
      )
      await catchUp()
      return row?.fresh === true
    },
    async leash(id, lines, { by, now }) {
      const at = new Date(now).toISOString()
      const event = JSON.stringify(leashedEvent({ id, lines, by, at }))
      const [row] = await database.query<{ done: boolean }>(
        `SELECT narrowgate.leash($1::text, $2::text::json, $3::int, $4::text, $5::text, $6::text::json)
           AS done`,
        [id, JSON.stringify(lines), MAX_LINES, by, at, event],
      )
      await catchUp()
      return row?.done === true
    },
    async recordMinted(grant) {
      const { id, lines, minted, by, task = null } = grant
      const added = await database.query(
        `WITH added AS (
           INSERT INTO narrowgate.grants (id, lines, minted, minted_by, task)
           VALUES ($1::text, $2::text::json, $3::text, $4::text, $5::text)
           ON CONFLICT (id) DO NOTHING RETURNING id
         ), told AS (
           INSERT INTO narrowgate.outbox (event) SELECT $6::text::json FROM added RETURNING seq
         )
         SELECT seq FROM told`,
        [id, JSON.stringify(lines), minted, by, task, JSON.stringify(mintedEvent(grant))],
      )
      if (added.length === 0)
        throw new Error(`grants: the id \`${id}\` is known; mint with another`)
    },
    saw,
    list: () => readGrants(database),
    async get(id) {
      await storeSeen()
      return readGrant(database, id)
    },
    takeOutbox: () => takeEvents(database),
    onChange: memory.onChange,
    async close() {
      clearInterval(timer)
      news.close()
      await storeSeen().catch(() => undefined)
    },
  }
}
