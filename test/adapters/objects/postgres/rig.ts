import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createIntake } from '../../../../adapters/objects/intake.ts'
import {
  openPostgresBuckets,
  type PostgresBuckets,
} from '../../../../adapters/objects/postgres/open.ts'
import { openDatabase } from '../../../../adapters/postgres/database.ts'

/** Opens the buckets of a database; they are closed with the test. */
export async function openBuckets(
  t: Test,
  url: string,
  options: {
    readonly graceMs?: number
    readonly sweepMs?: number
    readonly deadlineMs?: number
  } = {},
): Promise<PostgresBuckets> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-pg-objects-'))
  const { deadlineMs = 10_000, ...sweeping } = options
  const database = await openDatabase({ url, connections: 4, deadlineMs })
  let count = 0
  const intake = createIntake({ temporary: () => join(folder, `${(count += 1)}`) })
  const buckets = openPostgresBuckets({ database, intake, ...sweeping })
  t.teardown(async () => {
    await buckets.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return buckets
}
