import t from 'tap'
import { tryHostile } from './properties/hostile.ts'
import { RUNS_FACTOR } from './support.ts'

// The same with 10,000 requests of each kind: test/long/policy-hostile.test.ts.
tryHostile(t, 500 * RUNS_FACTOR)
