import { PASSING, SLOPPY } from './probes/passing.ts'
import { runPassed, runSloppy, wire } from './suite.ts'

wire('what passes', (t, bench) => runPassed(t, bench, PASSING))
wire('what passes clean or not at all', (t, bench) => runSloppy(t, bench, SLOPPY))
