import type postgres from 'postgres'
import { MIGRATIONS } from './schema.ts'

/** Any number that no other program takes for its own lock in the same database. */
const LOCK = 7_276_418_206

/**
 * Brings the schema `narrowgate` to this version's state, one gateway at a time. A user without the right to create
 * may serve where the schema stands already.
 * @throws Error where a newer version made the schema
 */
export async function migrate(sql: postgres.Sql): Promise<void> {
  if ((await versionOf(sql)) === MIGRATIONS.length) return
  await sql.begin(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`
    // Another gateway may have been here while this one waited.
    const version = await versionOf(sql)
    for (const [at, text] of MIGRATIONS.entries()) {
      if (at < version) continue
      await sql.unsafe(text)
      await sql`INSERT INTO narrowgate.migrations (version) VALUES (${at + 1})`
    }
  })
}

/** The schema's version, 0 where there is none. Rejects where it is newer than this gateway. */
export async function versionOf(sql: postgres.ISql): Promise<number> {
  // Asked of the catalog's tables: a lookup by name may answer from before the lock was waited for.
  const [found] = await sql<{ there: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'narrowgate' AND c.relname = 'migrations'
    ) AS there`
  if (found?.there !== true) return 0
  const [row] = await sql<{ version: number }[]>`
    SELECT coalesce(max(version), 0)::int AS version FROM narrowgate.migrations`
  const version = row?.version ?? 0
  if (version > MIGRATIONS.length)
    throw new Error(
      `its schema has version \`${version}\`, and this gateway knows ${MIGRATIONS.length}: start a newer gateway`,
    )
  return version
}
