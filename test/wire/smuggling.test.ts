import { config, keeping, sendMutants } from './smuggling.ts'
import { wire } from './suite.ts'

wire(
  'of 20,000 mutated requests nothing arrives that was not judged',
  (t, bench) => sendMutants(t, bench, { count: 20_000, seed: 20 }),
  { answer: keeping, config },
)
