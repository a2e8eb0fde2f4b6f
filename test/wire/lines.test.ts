import { FIELD_LINES, FIRST_LINES, LARGE } from './probes/lines.ts'
import { runRefused, wire } from './suite.ts'

wire('lines', (t, bench) => runRefused(t, bench, [...FIRST_LINES, ...FIELD_LINES, ...LARGE]))
