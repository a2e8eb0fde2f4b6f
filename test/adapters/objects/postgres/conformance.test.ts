import t from 'tap'
import { testBuckets } from '../../../conformance/buckets/suite.ts'
import { startCluster } from '../../../helpers/postgres.ts'
import { openBuckets } from './rig.ts'

const cluster = await startCluster(t)
if (cluster !== undefined) {
  const url = await cluster.createDatabase()
  // Two gateways on one database.
  const opened = [await openBuckets(t, url), await openBuckets(t, url)] as const
  let tests = 0
  testBuckets(t, async () => {
    const name = `bucket-${(tests += 1)}`
    let opens = 0
    return async () => opened[(opens += 1) % 2]!.bucket(name)
  })
}
