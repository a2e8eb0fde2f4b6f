import { config, HEADS, keeping, sendMutants } from './smuggling.ts'
import { wire } from './suite.ts'

wire(
  'of 10,000 requests with mutated heads nothing arrives that was not judged',
  (t, bench) => sendMutants(t, bench, { seeds: HEADS, count: 10_000, seed: 20 }),
  { answer: keeping, config },
)
