import { CODINGS } from './probes/codings.ts'
import { runRefused, wire } from './suite.ts'

wire('codings', (t, bench) => runRefused(t, bench, CODINGS))
