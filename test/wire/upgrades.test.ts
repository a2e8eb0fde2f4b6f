import { UPGRADES } from './probes/upgrades.ts'
import { runRefused, wire } from './suite.ts'

wire('upgrades', (t, bench) => runRefused(t, bench, UPGRADES))
