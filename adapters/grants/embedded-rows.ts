import type { Database } from 'better-sqlite3'
import { MAX_LINES } from '../../policy/index.ts'
import { leashedEvent, mintedEvent, revokedEvent, type Leashing } from './events.ts'
import type { Grant, GrantEvent, KnownGrant, Outbox, SeenChild } from './port.ts'
import { MOST_CHILDREN, type Sighting } from './seen.ts'

interface GrantRow {
  readonly id: string
  readonly lines: string
  readonly minted: string
  readonly minted_by: string
  readonly task: string | null
  readonly revoked: string | null
  /** A JSON array of the leash's appended lists, each as JSON text. */
  readonly leash: string
}

const SELECT_GRANTS = `
  SELECT grants.*, revocations.revoked,
    (SELECT json_group_array(lines) FROM
      (SELECT lines FROM leashes WHERE leashes.id = grants.id ORDER BY seq)) AS leash
  FROM grants LEFT JOIN revocations ON revocations.subject = grants.id
`

type ChildRow = Readonly<Record<'links' | 'lines' | 'seen', string>>

export function createEmbeddedReads(db: Database) {
  const all = db.prepare<[], GrantRow>(`${SELECT_GRANTS} ORDER BY minted DESC, grants.id`)
  const one = db.prepare<[string], GrantRow>(`${SELECT_GRANTS} WHERE grants.id = ?`)
  const children = db.prepare<[string], ChildRow>(
    'SELECT links, lines, seen FROM children WHERE id = ? ORDER BY seen, link',
  )
  const events = db.prepare<[], { seq: number; event: string }>('SELECT * FROM outbox ORDER BY seq')
  const settle = db.prepare<[number]>('DELETE FROM outbox WHERE seq <= ?')
  return {
    list: (): readonly KnownGrant[] => all.all().map(grantOf),
    get(id: string) {
      const row = one.get(id)
      return row && { ...grantOf(row), children: children.all(id).map(childOf) }
    },
    takeOutbox(): Outbox {
      const rows = events.all()
      return {
        events: rows.map(({ event }) => JSON.parse(event) as GrantEvent),
        settle: async () => void settle.run(rows.at(-1)?.seq ?? 0),
      }
    },
  }
}

export function createEmbeddedWrites(db: Database) {
  const post = db.prepare<[string]>('INSERT INTO outbox (event) VALUES (?)')
  const announce = (event: GrantEvent) => void post.run(JSON.stringify(event))
  const addRevocation = db.prepare('INSERT OR IGNORE INTO revocations VALUES (?, ?, ?)')
  const addGrant = db.prepare(
    'INSERT OR IGNORE INTO grants VALUES (@id, @lines, @minted, @by, @task)',
  )
  const addLeash = db.prepare(
    'INSERT INTO leashes (id, lines, leashed, leashed_by) VALUES (@id, @lines, @at, @by)',
  )
  const countLeash = db.prepare<[string], { lines: number }>(
    'SELECT coalesce(sum(json_array_length(lines)), 0) AS lines FROM leashes WHERE id = ?',
  )
  // A token as it was minted is the grant itself, and no child.
  const addChild = db.prepare(`
    INSERT OR IGNORE INTO children SELECT @link, @id, @links, @lines, @seen FROM grants
    WHERE grants.id = @id AND json_array_length(grants.lines) < json_array_length(@lines)
      AND (SELECT count(*) FROM children WHERE children.id = @id) < ${MOST_CHILDREN}`)
  const whole = db.transaction(<T>(work: () => T): T => work())
  return {
    revoke: (subject: string, by: string, at: string): boolean =>
      whole.immediate(() => {
        if (addRevocation.run(subject, at, by).changes === 0) return false
        announce(revokedEvent(subject, by, at))
        return true
      }) as boolean,
    leash: (leashing: Leashing): boolean =>
      whole.immediate(() => {
        const { id, lines } = leashing
        if ((countLeash.get(id)?.lines ?? 0) + lines.length > MAX_LINES) return false
        addLeash.run({ ...leashing, lines: JSON.stringify(lines) })
        announce(leashedEvent(leashing))
        return true
      }) as boolean,
    recordMinted: (grant: Grant): void =>
      void whole.immediate(() => {
        const { id, lines, minted, by, task } = grant
        const row = { id, lines: JSON.stringify(lines), minted, by, task: task ?? null }
        if (addGrant.run(row).changes === 0)
          throw new Error(`grants: the id \`${id}\` is known; mint with another`)
        announce(mintedEvent(grant))
      }),
    recordSeen: (sightings: readonly Sighting[]): void =>
      void whole.immediate(() => {
        for (const { links, lines, ...rest } of sightings)
          addChild.run({ ...rest, links: JSON.stringify(links), lines: JSON.stringify(lines) })
      }),
  }
}

function grantOf(row: GrantRow): KnownGrant {
  const { id, lines, minted, minted_by: by, task, revoked } = row
  const leash = (JSON.parse(row.leash) as string[]).flatMap((text) => JSON.parse(text) as string[])
  const known = { id, lines: JSON.parse(lines) as string[], minted, by, leash }
  return { ...known, ...(task === null ? {} : { task }), ...(revoked === null ? {} : { revoked }) }
}

function childOf({ links, lines, seen }: ChildRow): SeenChild {
  return { links: JSON.parse(links) as string[], lines: JSON.parse(lines) as string[], seen }
}
