import t from 'tap'
import { BODIES, config, HEADS, keeping, sendMutants } from '../wire/smuggling.ts'
import { wire } from '../wire/suite.ts'

// A part takes minutes.
t.setTimeout(0)

const seeds = [...HEADS, ...BODIES]

for (let part = 1; part <= 50; part += 1)
  wire(
    `of 1,000,000 mutated requests nothing arrives that was not judged, part ${part} of 50`,
    (t, bench) => sendMutants(t, bench, { seeds, count: 20_000, seed: 1_000 + part }),
    { answer: keeping, config },
  )
