import { LENGTHS } from './probes/lengths.ts'
import { runRefused, wire } from './suite.ts'

await wire('lengths', (t, bench) => runRefused(t, bench, LENGTHS))
