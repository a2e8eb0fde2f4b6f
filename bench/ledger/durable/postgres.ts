import assert from 'node:assert/strict'
import postgres from 'postgres'
import { inGroups, type Contender } from './contender.ts'

export const POSTGRES = 'PostgreSQL, multi-row insert'

/** PostgreSQL: all that wait are the rows of one prepared insert, and one commit. */
export async function postgresMultiRow(url: string): Promise<Contender> {
  const { pathname, searchParams } = new URL(url)
  const sql = postgres({
    path: `${searchParams.get('host')}/.s.PGSQL.5432`,
    database: pathname.slice(1),
    user: 'postgres',
    max: 1,
  })
  for (const setting of ['fsync', 'synchronous_commit'])
    assert.equal((await sql.unsafe(`SHOW ${setting}`))[0]?.[setting], 'on', setting)
  await sql`CREATE TABLE receipts (seq bigserial PRIMARY KEY, record text NOT NULL)`
  return {
    name: POSTGRES,
    append: inGroups(
      (texts) =>
        sql`INSERT INTO receipts (record) SELECT * FROM unnest(${sql.array([...texts])}::text[])`,
    ),
    async kept() {
      const rows = await sql<{ record: string }[]>`SELECT record FROM receipts`
      return rows.map(({ record }): unknown => JSON.parse(record))
    },
    close: () => sql.end({ timeout: 5 }),
  }
}
