import { LENGTHS } from './probes/lengths.ts'
import { runRefused, wire } from './suite.ts'

wire('lengths', (t, bench) => runRefused(t, bench, LENGTHS))
