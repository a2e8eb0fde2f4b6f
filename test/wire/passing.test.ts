import { PASSING, SLOPPY } from './probes/passing.ts'
import { runPassed, runSloppy, wire } from './suite.ts'

await wire('what passes', (t, bench) => runPassed(t, bench, PASSING))
await wire('what passes clean or not at all', (t, bench) => runSloppy(t, bench, SLOPPY))
