import { PATHS, TARGETS } from './probes/paths.ts'
import { runRefused, wire } from './suite.ts'

wire('paths and targets', (t, bench) => runRefused(t, bench, [...PATHS, ...TARGETS]))
