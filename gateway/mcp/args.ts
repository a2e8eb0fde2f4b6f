import { Refusal, type RefusalReason } from '../refusal.ts'

const LONGEST_SHOWN = 80

/** Gives the repair where an argument's value does not fit. */
export type ArgCheck = (value: unknown) => string | undefined

/** One argument of a tool of the gateway's own. */
export interface ArgRow {
  /** JSON Schema, for clients. */
  readonly schema: object
  readonly required?: true
  readonly check: ArgCheck
}

export type ArgTable = Readonly<Record<string, ArgRow>>

export type Args = Readonly<Record<string, unknown>>

/**
 * Holds the arguments of a call to a table. Unknown ones, missing ones and values that do not fit are refused, all at once.
 * @throws Refusal
 */
export function checkArgs(args: Args, table: ArgTable): void {
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(table, name))
  if (unknown.length > 0) {
    const repair = `use: ${Object.keys(table).join(', ')}`
    throw new Refusal(
      'unknown_field',
      unknown.map((name) => {
        return { axis: name.slice(0, LONGEST_SHOWN), got: 'an unknown argument', repair }
      }),
    )
  }
  const wrong = Object.entries(table).flatMap(([name, row]) => judge(name, args[name], row))
  if (wrong.length > 0) throw new Refusal('malformed_request', wrong)
}

function judge(
  name: string,
  value: unknown,
  { required, check }: ArgRow,
): readonly RefusalReason[] {
  if (value === undefined)
    return required ? [{ axis: name, got: 'nothing', repair: `give ${name}` }] : []
  const repair = check(value)
  const got = `\`${String(JSON.stringify(value)).slice(0, LONGEST_SHOWN)}\``
  return repair === undefined ? [] : [{ axis: name, got, repair }]
}

/** JSON Schema of the arguments of a tool. */
export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
}

/** That of such arguments. */
export function schemaOf(table: ArgTable): InputSchema {
  const rows = Object.entries(table)
  return {
    type: 'object',
    properties: Object.fromEntries(rows.map(([name, { schema }]) => [name, schema])),
    required: rows.flatMap(([name, { required }]) => (required ? [name] : [])),
  }
}
