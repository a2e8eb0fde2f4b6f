import type { ArgCheck, ArgRow, ArgTable } from './args.ts'

const textOf =
  (most: number): ArgCheck =>
  (value) =>
    typeof value === 'string' && value.length > 0 && value.length <= most
      ? undefined
      : `write a text of 1 to ${most} characters`

const isObject: ArgCheck = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : 'write an object'

const text = (description: string, most: number) =>
  ({ schema: { type: 'string', description }, check: textOf(most) }) satisfies ArgRow

/** Passed on to where it is read anyway, with all that is wrong with it. */
const passed = (type: string, description: string): ArgRow => ({
  schema: { type, description },
  check: () => undefined,
})

const TOOL = { ...text('Name of a tool, as resolve tells it', 128), required: true } as const

/** How the gateway's own tools are described to models, and what arguments they take. */
export const OWN_TOOLS = {
  resolve: {
    description: 'Finds the tools that a question in plain words means, each with the reason.',
    readOnly: true,
    args: {
      question: {
        ...text('What to do, in plain words, or the beginning of a name', 1024),
        required: true,
      },
      limit: {
        schema: { type: 'integer', minimum: 1, maximum: 1000, description: 'Tools at most' },
        check: (value) =>
          Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1000
            ? undefined
            : 'write a whole number from 1 to 1000',
      },
    },
  },
  read: {
    description: 'Everything about one tool: its arguments, how it is called, what it answers.',
    readOnly: true,
    args: { tool: TOOL },
  },
  run: {
    description:
      'Calls a tool. Of a JSON answer, select, where, order, page and want cut down what comes back: ask for no more than you need.',
    readOnly: false,
    args: {
      tool: TOOL,
      args: passed('object', 'Arguments of the tool'),
      select: {
        schema: {
          type: 'array',
          items: { type: 'string' },
          description: 'Paths to keep: name, user.login, labels[].name; -path leaves one out',
        },
        check: () => undefined,
      },
      where: passed('object', 'Rows to keep: {"state": "open", "comments": {"gt": 2}}'),
      order: {
        schema: {
          type: 'array',
          items: { type: 'string' },
          description: 'Paths to sort by; -path for descending',
        },
        check: () => undefined,
      },
      page: passed('object', '{"limit": 20, "cursor": …}'),
      control: passed(
        'object',
        '{"timeout_ms": …, "idempotency_key": …, "retries": …, "dry_run": true}',
      ),
      want: passed('object', '{"shape": "rows", "first" or "count", "aggregate": {…}}'),
    },
  },
  receipt: {
    description:
      'The receipt of a call, or, with want, its recorded answer cut down again: no second call is made, and no use spent.',
    readOnly: true,
    args: {
      id: {
        ...text('Id of the receipt, which stands at the end of every result', 64),
        required: true,
      },
      want: {
        schema: {
          anyOf: [{ type: 'string' }, { type: 'object' }],
          description: 'Paths, "number,title"; or {"select": […], "where": {…}, "page": {…}}',
        },
        check: (value) =>
          typeof value === 'string' || isObject(value) === undefined
            ? undefined
            : 'write a text or an object',
      },
    },
  },
  narrow: {
    description:
      'Makes a narrower token of this one, to hand on: it can do less, never more. The answer is the token.',
    readOnly: true,
    args: {
      caveats: {
        schema: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: 64,
          description:
            'Lines such as "tools = GITHUB_*", "uses <= 5", "expires < 2030-01-01T00:00:00Z"',
        },
        required: true,
        check: (value) =>
          Array.isArray(value) &&
          value.length > 0 &&
          value.every((line) => typeof line === 'string')
            ? undefined
            : 'write a list of lines',
      },
    },
  },
} as const satisfies Readonly<Record<string, OwnTool>>

interface OwnTool {
  readonly description: string
  readonly readOnly: boolean
  readonly args: ArgTable
}

export type OwnName = keyof typeof OWN_TOOLS

/** Those that make no call. */
export type ReadingTool = Exclude<OwnName, 'run'>

export function isOwn(name: string): name is OwnName {
  return Object.hasOwn(OWN_TOOLS, name)
}
