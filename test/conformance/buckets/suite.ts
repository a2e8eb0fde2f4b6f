import type { Test } from 'tap'
import { testConditions } from './conditions.ts'
import { testListings } from './listings.ts'
import { testObjects } from './objects.ts'
import { testRaces } from './races.ts'
import type { OpenBucket } from './store.ts'

/** What every driver of buckets must do. `make` makes a new bucket for each test. */
export function testBuckets(t: Test, make: (t: Test) => Promise<OpenBucket>): void {
  const on = (name: string, body: (t: Test, open: OpenBucket) => Promise<void>) =>
    t.test(name, async (t) => body(t, await make(t)))
  testObjects(on)
  testConditions(on)
  testListings(on)
  testRaces(on)
}
