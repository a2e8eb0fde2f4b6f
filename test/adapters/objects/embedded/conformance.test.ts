import t from 'tap'
import { testBuckets } from '../../../conformance/buckets/suite.ts'
import { makePlace } from './rig.ts'

const place = await makePlace(t)
// Two threads on one file, as two processes would have it.
const opened = await Promise.all([place.open(), place.open()])
let tests = 0

testBuckets(t, async () => {
  const name = `bucket-${(tests += 1)}`
  let opens = 0
  return async () => opened[(opens += 1) % 2]!.bucket(name)
})
