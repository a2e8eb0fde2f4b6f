import { BODIES, config, keeping, sendMutants } from './smuggling.ts'
import { wire } from './suite.ts'

wire(
  'of 10,000 requests with mutated framing and bodies nothing arrives that was not judged',
  (t, bench) => sendMutants(t, bench, { seeds: BODIES, count: 10_000, seed: 20 }),
  { answer: keeping, config },
)
