import { utf8 } from '@scure/base'
import { AXES } from './axes.ts'
import type { Axis, Clause, Head, Op } from './axis.ts'
import { TokenFault } from './faults.ts'
import { hasControl, isWellFormed } from './text.ts'

/** One parsed line of a token. */
export interface Caveat {
  readonly axis: string
  readonly op: Op
  /** The text after the op. */
  readonly value: string
  /** What an `arg` line speaks of, `TOOL.path`; empty for every other axis. */
  readonly subject: string
  /** The whole line, as it is chained. */
  readonly line: string
  /** What it means, for both engines. */
  readonly clause: Clause
  /** Set where an owner put the line on the grant after it was handed out. */
  readonly leash?: true
}

const MAX_LINE_BYTES = 4096
const AXIS_OF: ReadonlyMap<string, Axis> = new Map(AXES.map((axis) => [axis.name, axis]))

/**
 * Reads one line, each time anew. Unknown means no: an axis, op or value that is not known refuses.
 * @throws TokenFault of the stage `caveat`
 */
export function readCaveat(line: string): Caveat {
  checkText(line)
  const [name, rest] = cut(line)
  const axis = AXIS_OF.get(name)
  if (axis === undefined) {
    throw fault(line, `the axis \`${name}\` is not known; ${oneOf([...AXIS_OF.keys()])}`)
  }
  const head = readHead(axis, line, rest)
  const clause = axis.read(head)
  if (typeof clause === 'string') throw fault(line, `${name}: ${clause}`, name)
  // All tokens with this line share it.
  return Object.freeze({ axis: name, ...head, line, clause: Object.freeze(clause) })
}

function readHead(axis: Axis, line: string, rest: string): Head {
  const [subject, tail] = axis.name === 'arg' ? cut(rest) : ['', rest]
  const [opText, value] = cut(tail)
  const op = axis.ops.find((known) => known === opText)
  if (op === undefined) {
    throw fault(
      line,
      `${axis.name}: the op \`${opText}\` is not known; ${oneOf(axis.ops)}`,
      axis.name,
    )
  }
  if (value === '' || value.startsWith(' ')) {
    throw fault(line, `${axis.name}: put one value after the op and one space`, axis.name)
  }
  return { op, value, subject }
}

function checkText(line: string): void {
  if (line === '') throw fault(line, 'the line is empty; write `<axis> <op> <value>`')
  if (!isWellFormed(line))
    throw fault(undefined, 'the line holds half a surrogate pair; write it anew')
  if (hasControl(line)) throw fault(line, 'the line holds a control character; leave it out')
  if (line.startsWith(' ') || line.endsWith(' ')) {
    throw fault(line, 'the line begins or ends with a space; leave it out')
  }
  // A unit has at most three bytes, so that most lines are never encoded to be measured.
  if (line.length * 3 > MAX_LINE_BYTES && utf8.decode(line).length > MAX_LINE_BYTES) {
    throw fault(undefined, `the line is longer than ${MAX_LINE_BYTES} bytes; part it into several`)
  }
}

/** At the first space: what is before it, and all that is after it. */
function cut(text: string): [string, string] {
  const space = text.indexOf(' ')
  return space < 0 ? [text, ''] : [text.slice(0, space), text.slice(space + 1)]
}

function oneOf(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``).join(', ')
  return names.length === 1 ? `use ${quoted}` : `use one of ${quoted}`
}

function fault(line: string | undefined, reason: string, axis?: string): TokenFault {
  return new TokenFault('caveat', reason, { line, axis })
}
