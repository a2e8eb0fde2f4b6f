import { config, keeping, sendMutants } from '../wire/smuggling.ts'
import { wire } from '../wire/suite.ts'

for (let part = 0; part < 50; part += 1)
  wire(
    `of 20,000 mutated requests nothing arrives that was not judged, part ${part + 1} of 50`,
    (t, bench) => sendMutants(t, bench, { count: 20_000, seed: 1_000 + part }),
    { answer: keeping, config },
  )
