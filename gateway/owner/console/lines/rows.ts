import { MAX_LINES, parseCaveat } from '../../../../policy/index.ts'
import type { OwnerPorts } from '../../ports.ts'
import { fieldOf, formOf, type Form } from '../forms.ts'

/** One line of a grant as the form has it, part by part. */
export interface Row {
  readonly axis: string
  readonly op: string
  /** Of an `arg` line: the tool, and where in its arguments. */
  readonly tool: string
  readonly path: string
  readonly value: string
}

export type AxisRow = OwnerPorts['axes'][number]

/** Axes whose lines speak of one argument of one tool. */
const WITH_SUBJECT: ReadonlySet<string> = new Set(['arg'])

export function hasSubject(axis: string): boolean {
  return WITH_SUBJECT.has(axis)
}

/** What a form of lines may hold: its buttons by their names, and fields of its own. */
export function linesForm(
  buttons: readonly string[],
  fields: Readonly<Record<string, object>> = {},
): object {
  const pressed = fieldOf(`^(?:${buttons.join('|')}|(?:add|remove)\\.\\w+)$`)
  const parts = '^(?:0|[1-9]\\d{0,3})\\.(?:axis|op|tool|path|value)$'
  return formOf({ do: pressed, seen: fieldOf(), ...fields }, { [parts]: fieldOf() })
}

/** The rows of a form, in their order; more than a token can hold are left out. */
export function rowsOf(form: Form): readonly Row[] {
  const numbers = Object.keys(form).flatMap((name) => /^(\d+)\.axis$/.exec(name)?.[1] ?? [])
  return numbers.slice(0, MAX_LINES).map((number) => {
    const part = (name: string) => (form[`${number}.${name}`] ?? '').trim()
    return {
      axis: part('axis'),
      op: part('op'),
      tool: part('tool'),
      path: part('path'),
      value: part('value'),
    }
  })
}

/** The line that a row stands for. */
export function lineOf({ axis, op, tool, path, value }: Row): string {
  return hasSubject(axis) ? `${axis} ${tool}.${path} ${op} ${value}` : `${axis} ${op} ${value}`
}

/** The row of a line. @throws TokenFault where it does not parse */
export function rowOf(line: string): Row {
  const { axis, op, subject, value } = parseCaveat(line)
  const [tool = '', ...path] = subject.split('.')
  return { axis, op, tool, path: path.join('.'), value }
}

/** A row to begin with. */
export function freshRow({ name, ops }: AxisRow): Row {
  // The one value that this axis has: nothing else could be written there.
  const value = name === 'delegate' ? 'no' : ''
  return { axis: name, op: ops[0] ?? '', tool: '', path: '', value }
}

/** With one more, where its axis wants it: a keys line may only be the first one, and nothing may follow delegate. */
function withRow(rows: readonly Row[], row: Row): readonly Row[] {
  if (row.axis === 'keys') return [row, ...rows]
  const last = rows.at(-1)?.axis === 'delegate' ? rows.length - 1 : rows.length
  return rows.toSpliced(last, 0, row)
}

/** The rows after a press on one of their buttons, `add.<axis>` or `remove.<row>`; undefined for any other button. */
export function changedRows(
  rows: readonly Row[],
  button: string,
  axes: readonly AxisRow[],
): readonly Row[] | undefined {
  const [, what, about] = /^(add|remove)\.(\w+)$/.exec(button) ?? []
  if (what === 'remove') return rows.filter((_, at) => at !== Number(about))
  const axis = what === 'add' ? axes.find(({ name }) => name === about) : undefined
  return axis === undefined ? undefined : withRow(rows, freshRow(axis))
}
