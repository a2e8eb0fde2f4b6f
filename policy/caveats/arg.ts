import type { Ask } from '../ask.ts'
import type { Axis, Head, Refusal } from '../axis.ts'
import { TOOL } from '../cedar/attributes.ts'
import type { Attribute, CedarClause } from '../cedar/clause.ts'
import { quote } from '../cedar/text.ts'
import { show } from '../text.ts'
import { valuesAt } from '../values.ts'
import { type ArgRule, readRule } from './arg-rules.ts'

/** What an argument of one tool must be. */
export const arg: Axis = {
  name: 'arg',
  ops: ['=', 'prefix', 'glob', 'in', '<=', '>='],
  value: 'literal text; names parted by commas after `in`, a number after `<=` and `>=`',
  says: 'that argument of that tool satisfies the rule; in a list, every element does',
  example: 'arg EMAIL_SEND.to glob *@acme.com',
  read(head) {
    const subject = readSubject(head)
    if (typeof subject === 'string') return subject
    const rule = readRule(head.op, head.value)
    if (typeof rule === 'string') return rule
    const about = { ...subject, name: head.subject, rule }
    return {
      get words() {
        return `${subject.tool} only where ${subject.path.join('.')} ${rule.words}`
      },
      refuses: (ask) => refuses(about, ask),
      cedar: cedarOf(about),
    }
  },
}

interface Subject {
  readonly tool: string
  readonly path: readonly string[]
}

interface About extends Subject {
  /** `TOOL.path` */
  readonly name: string
  readonly rule: ArgRule
}

function readSubject({ subject }: Head): Subject | string {
  const [tool = '', ...path] = subject.split('.')
  if (tool === '' || /[*,]/.test(tool)) return `\`${subject}\` begins with no exact name of a tool`
  if (path.length === 0 || path.includes('')) return `\`${subject}\` is not of the form TOOL.path`
  return { tool, path }
}

function refuses({ tool, path, name, rule }: About, ask: Ask): Refusal | undefined {
  if (ask.tool !== tool) return undefined
  const values = valuesAt(ask.args, path)
  const stray = values.findIndex((value) => !rule.holds(value))
  if (values.length > 0 && stray < 0) return undefined
  const got = values.length === 0 ? 'more values than are looked at' : show(values[stray])
  return { code: 'arg_refused', got, repair: `send a value of ${name} that ${rule.words}` }
}

function cedarOf({ tool, path, name, rule }: About): CedarClause {
  const value: Attribute = {
    key: `${rule.view} ${name}`,
    // Arguments of other tools are not looked at, so that verdicts do not depend on them.
    read: (ask) => (ask.tool === tool ? valuesAt(ask.args, path).map(rule.scalar) : []),
  }
  return {
    attributes: [TOOL, value],
    condition({ at, has }) {
      const elsewhere = `!(${has(TOOL.key)}) || ${at(TOOL.key)} != ${quote(tool)}`
      return `${elsewhere} || (${has(value.key)} && ${rule.cedar(at(value.key))})`
    },
  }
}
