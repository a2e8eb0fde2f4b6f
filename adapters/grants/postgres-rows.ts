import type { Database } from '../postgres/port.ts'
import type { GrantEvent, KnownGrant, Outbox, SeenChild } from './port.ts'
import { MOST_CHILDREN, type Sighting } from './seen.ts'

/** Events that a gateway took and did not settle, because it ended in between, are given to another after this. */
const TAKEN_FOR = '30 seconds'
/** Events that are taken at one time. */
const MOST_EVENTS = 1000

interface GrantRow {
  readonly id: string
  /** JSON text. */
  readonly lines: string
  readonly minted: string
  readonly minted_by: string
  readonly task: string | null
  readonly revoked: string | null
  /** A JSON array of the leash's appended lists. */
  readonly leash: string
}

const SELECT_GRANTS = `
  SELECT g.id, g.lines::text AS lines, g.minted, g.minted_by, g.task, r.revoked,
    (SELECT coalesce(json_agg(l.lines ORDER BY l.seq), '[]')::text
     FROM narrowgate.leashes l WHERE l.id = g.id) AS leash
  FROM narrowgate.grants g LEFT JOIN narrowgate.revocations r ON r.subject = g.id
`

type ChildRow = Readonly<Record<'links' | 'lines' | 'seen', string>>

type Reader = Pick<Database, 'query'>

export async function readGrants(database: Reader): Promise<readonly KnownGrant[]> {
  const rows = await database.query<GrantRow>(`${SELECT_GRANTS} ORDER BY g.minted DESC, g.id`, [])
  return rows.map(grantOf)
}

export async function readGrant(
  database: Reader,
  id: string,
): Promise<(KnownGrant & { readonly children: readonly SeenChild[] }) | undefined> {
  const [row] = await database.query<GrantRow>(`${SELECT_GRANTS} WHERE g.id = $1::text`, [id])
  if (row === undefined) return undefined
  const children = await database.query<ChildRow>(
    `SELECT links::text AS links, lines::text AS lines, seen FROM narrowgate.children
     WHERE id = $1::text ORDER BY seen, link LIMIT ${MOST_CHILDREN}`,
    [id],
  )
  return { ...grantOf(row), children: children.map(childOf) }
}

/** Stores tokens that were seen, where they are children of a known grant; the first sight counts. */
export async function storeSightings(
  database: Reader,
  sightings: readonly Sighting[],
): Promise<void> {
  if (sightings.length === 0) return
  await database.query(
    `INSERT INTO narrowgate.children (link, id, links, lines, seen)
     SELECT link, id, links, lines, seen FROM (
       SELECT s.*, row_number() OVER (PARTITION BY s.id ORDER BY s.seen, s.link)
         + (SELECT count(*) FROM narrowgate.children c WHERE c.id = s.id) AS place
       FROM json_to_recordset($1::text::json) AS s (link text, id text, links json, lines json, seen text)
       JOIN narrowgate.grants g ON g.id = s.id
       -- A token as it was minted is the grant itself, and no child.
       WHERE json_array_length(g.lines) < json_array_length(s.lines)
         AND NOT EXISTS (SELECT FROM narrowgate.children c WHERE c.link = s.link)
     ) seen WHERE place <= ${MOST_CHILDREN}
     ON CONFLICT (link) DO NOTHING`,
    [JSON.stringify(sightings)],
  )
}

/** Takes events for one gateway: others leave them alone until it settles them, or has ended. */
export async function takeEvents(database: Reader): Promise<Outbox> {
  const rows = await database.query<{ seq: number; event: string }>(
    `WITH due AS (
       SELECT seq FROM narrowgate.outbox WHERE taken < now() - interval '${TAKEN_FOR}'
       ORDER BY seq LIMIT ${MOST_EVENTS} FOR UPDATE SKIP LOCKED
     ), mine AS (
       UPDATE narrowgate.outbox o SET taken = now() FROM due WHERE o.seq = due.seq
       RETURNING o.seq, o.event
     )
     SELECT seq::float8 AS seq, event::text AS event FROM mine ORDER BY seq`,
    [],
  )
  const taken = JSON.stringify(rows.map(({ seq }) => seq))
  return {
    events: rows.map(({ event }) => JSON.parse(event) as GrantEvent),
    async settle() {
      await database.query(
        `DELETE FROM narrowgate.outbox
         WHERE seq IN (SELECT json_array_elements_text($1::text::json)::bigint)`,
        [taken],
      )
    },
  }
}

function grantOf(row: GrantRow): KnownGrant {
  const { id, lines, minted, minted_by: by, task, revoked } = row
  const leash = (JSON.parse(row.leash) as string[][]).flat()
  const known = { id, lines: JSON.parse(lines) as string[], minted, by, leash }
  return { ...known, ...(task === null ? {} : { task }), ...(revoked === null ? {} : { revoked }) }
}

function childOf({ links, lines, seen }: ChildRow): SeenChild {
  return { links: JSON.parse(links) as string[], lines: JSON.parse(lines) as string[], seen }
}
