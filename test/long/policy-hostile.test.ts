import t from 'tap'
import { tryHostile } from '../policy/properties/hostile.ts'

tryHostile(t, 10_000)
