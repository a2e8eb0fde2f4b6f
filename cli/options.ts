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

/** What a token may say, as options; `run`, `env` and `grant mint` share them. */
export const GRANT = {
  tools: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: "names and globs of tools, commas between: 'HTTP_GET,GITHUB_*'",
  },
  ways: { type: 'string', array: true, requiresArg: true, describe: 'doors: proxy, mount, mcp, …' },
  expires: {
    type: 'string',
    requiresArg: true,
    describe: 'a duration (30s, 15m, 2h, 7d) or a date in UTC',
  },
  uses: { type: 'string', requiresArg: true, describe: 'how many calls are let through' },
  task: { type: 'string', requiresArg: true, describe: 'the task to record calls under: T-7/3' },
  area: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'path prefixes that may be touched: /src,/docs',
  },
  arg: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: "a rule for one argument: 'TOOL.path op value' (repeatable)",
  },
  person: { type: 'string', requiresArg: true, describe: 'only this signed-in person' },
  keys: { type: 'string', requiresArg: true, describe: "use this person's upstream keys" },
  model: { type: 'string', array: true, requiresArg: true, describe: 'names and globs of models' },
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
