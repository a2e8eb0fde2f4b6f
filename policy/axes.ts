import type { Axis } from './axis.ts'
import { area } from './caveats/area.ts'
import { arg } from './caveats/arg.ts'
import { delegate } from './caveats/delegate.ts'
import { expires } from './caveats/expires.ts'
import { keys } from './caveats/keys.ts'
import { model } from './caveats/model.ts'
import { person } from './caveats/person.ts'
import { task } from './caveats/task.ts'
import { tools } from './caveats/tools.ts'
import { uses } from './caveats/uses.ts'
import { ways } from './caveats/ways.ts'

/** Every axis there is. The parser, both engines, the docs and `GET /api/grants/axes` read it. */
export const AXES: readonly Axis[] = [
  tools,
  ways,
  expires,
  uses,
  task,
  area,
  arg,
  person,
  keys,
  model,
  delegate,
]
