import t from 'tap'
import { testBuckets } from '../../../conformance/buckets/suite.ts'
import { startR2 } from '../../../helpers/r2.ts'
import { openBucket } from './rig.ts'

const r2 = await startR2(t, 60)
if (r2 !== undefined) {
  testBuckets(t, async (t) => {
    const name = r2.freshBucket()
    return async () => openBucket(t, r2.s3, name)
  })
}
