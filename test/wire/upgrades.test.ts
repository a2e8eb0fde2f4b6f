import { UPGRADES } from './probes/upgrades.ts'
import { runRefused, wire } from './suite.ts'

await wire('upgrades', (t, bench) => runRefused(t, bench, UPGRADES))
