import t from 'tap'
import { PROPERTIES } from './properties/index.ts'
import { RUNS_FACTOR } from './support.ts'

// The same with 100,000 cases each: test/long/policy-properties.test.ts.

for (const [name, property] of Object.entries(PROPERTIES)) {
  void t.test(name, async (t) => property(t, 2000 * RUNS_FACTOR))
}
