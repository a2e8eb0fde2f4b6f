import { BODIES } from './probes/bodies.ts'
import { runBroken, wire } from './suite.ts'

wire('bodies', (t, bench) => runBroken(t, bench, BODIES))
