import fc from 'fast-check'
import t from 'tap'
import type { Bucket } from '../../../adapters/objects/bucket.ts'
import { runs } from '../../catalog/project/documents.ts'
import {
  difference,
  refusals,
  sequences,
  type Leave,
} from '../../conformance/buckets/differential.ts'
import { startCluster } from '../../helpers/postgres.ts'
import { openR2Bucket } from '../../helpers/r2-bucket.ts'
import { startR2, type R2 } from '../../helpers/r2.ts'
import { makePlace } from './embedded/rig.ts'
import { openBuckets } from './postgres/rig.ts'
import { openBucket } from './s3/rig.ts'

/** `NARROWGATE_RUNS_FACTOR` makes it longer or shorter. */
const RUNS = runs(12)

/** Random sequences of operations on a driver and on R2 itself: both say the same to all of them. */
async function compare(r2: R2, driver: Bucket, leave: Leave = {}): Promise<void> {
  const sides = { driver, r2: openR2Bucket(r2.url, r2.freshBucket()) }
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      const found = await difference(sides, steps, leave)
      if (found !== undefined) throw new Error(JSON.stringify(found, undefined, 2))
    }),
    { numRuns: RUNS, examples: [[refusals]] },
  )
}

const r2 = await startR2(t, 8)
if (r2 !== undefined) {
  await t.test('embedded says what R2 says', async (t) => {
    const buckets = await (await makePlace(t)).open()
    await t.resolves(compare(r2, buckets.bucket('a')))
  })

  await t.test('s3 says what R2 says', async (t) => {
    const leave = { defaultType: 'application/octet-stream' }
    await t.resolves(compare(r2, openBucket(t, r2.s3, r2.freshBucket()), leave))
  })

  await t.test('postgres says what R2 says', async (t) => {
    const cluster = await startCluster(t)
    if (cluster === undefined) return
    const buckets = await openBuckets(t, await cluster.createDatabase())
    await t.resolves(compare(r2, buckets.bucket('a')))
  })
}
