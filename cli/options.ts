import { AXES } from '../policy/index.ts'

/** Which configuration and state a verb works on; the same two options for every verb that needs one. */
export const PLACE = {
  config: {
    type: 'string',
    requiresArg: true,
    describe: 'configuration file; ./narrowgate.yaml where there is one',
  },
  state: {
    type: 'string',
    requiresArg: true,
    describe: 'state folder; also NARROWGATE_STATE, else what the configuration says',
  },
} as const

export const JSON_OUTPUT = {
  json: { type: 'boolean', default: false, describe: 'print JSON for machines' },
} as const

/** What the table of axes says of one: when a line of it holds, and what its value is. */
function axis(name: string, value?: string): string {
  const row = AXES.find((known) => known.name === name)
  if (row === undefined) throw new Error(`there is no axis ${name}`)
  return `${row.says}: ${value ?? row.value}`
}

/** What a token may say, as options, one for each axis but `delegate`; `run`, `env` and `grant mint` share them. */
export const GRANT = {
  tools: { type: 'string', array: true, requiresArg: true, describe: axis('tools') },
  ways: { type: 'string', array: true, requiresArg: true, describe: axis('ways') },
  expires: {
    type: 'string',
    requiresArg: true,
    describe: axis('expires', 'a duration (30s, 15m, 2h, 7d) or a date in UTC'),
  },
  uses: { type: 'string', requiresArg: true, describe: axis('uses') },
  task: { type: 'string', requiresArg: true, describe: axis('task') },
  area: { type: 'string', array: true, requiresArg: true, describe: axis('area') },
  arg: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: axis('arg', "'TOOL.path op value' (repeatable)"),
  },
  person: { type: 'string', requiresArg: true, describe: axis('person') },
  keys: { type: 'string', requiresArg: true, describe: axis('keys') },
  model: { type: 'string', array: true, requiresArg: true, describe: axis('model') },
} as const

/** Options that only the run template knows. */
export const TEMPLATE = {
  without: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'leave out a line of the run template: tools, expires, uses, task, area, delegate',
  },
} as const
