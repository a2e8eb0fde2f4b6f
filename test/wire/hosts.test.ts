import { HOSTS } from './probes/hosts.ts'
import { runRefused, wire } from './suite.ts'

wire('hosts', (t, bench) => runRefused(t, bench, HOSTS))
