import { CODINGS } from './probes/codings.ts'
import { runRefused, wire } from './suite.ts'

await wire('codings', (t, bench) => runRefused(t, bench, CODINGS))
