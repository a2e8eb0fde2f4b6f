import { createReport, type Report } from '../check.ts'
import { coerce } from '../coerce.ts'
import { parseJsonBody } from '../json-body.ts'
import { textOf, utf8 } from '../text.ts'
import type { ArgSchema, Tool } from '../tool.ts'
import { refused, type Refused } from '../wire/refusal.ts'
import { putNested, valueOfTree, type Tree } from './nested.ts'
import { DELIMITERS } from './style.ts'

/** A body that was read as a form, by the row that describes it. */
export interface FormBody {
  readonly ok: true
  /** Its fields as arguments, of the types that the row gives them. */
  readonly value: Readonly<Record<string, unknown>>
}

/** Thrown inside, so that the first fault ends the reading. */
class FormFault extends Error {}

/**
 * Reads a form (`application/x-www-form-urlencoded`, in UTF-8) to be judged. What readers may take for different things is refused:
 * broken escapes, a nested name said twice, brackets where the row has none.
 */
export function parseFormBody(bytes: Uint8Array, tool: Tool): FormBody | Refused {
  const { properties } = tool.args
  const report = createReport()
  try {
    const value = Object.fromEntries(
      [...fieldsOf(plainText(bytes), properties)].map(([name, field]) => {
        const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
        return [name, valueOf(field, schema, { path: name, report })]
      }),
    )
    const [problem] = report.problems
    if (problem === undefined) return { ok: true, value }
    return refused(`the field ${problem.path} is ${problem.got}: ${problem.repair}`)
  } catch (error) {
    if (error instanceof FormFault) return refused(error.message)
    throw error
  }
}

function plainText(bytes: Uint8Array): string {
  try {
    return textOf(bytes)
  } catch {
    throw new FormFault('the body is not UTF-8')
  }
}

type Properties = Readonly<Record<string, ArgSchema>>
type Field = string[] | Tree

const NESTED = /^([^[\]]+)((?:\[[^[\]]*\])+)$/

function fieldsOf(text: string, properties: Properties): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const mark = pair.indexOf('=')
    const name = decoded(mark < 0 ? pair : pair.slice(0, mark))
    const value = mark < 0 ? '' : decoded(pair.slice(mark + 1))
    if (Object.hasOwn(properties, name) || !/[[\]]/.test(name)) putText(fields, name, value)
    else putInBrackets({ fields, properties }, name, value)
  }
  return fields
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw new FormFault('the body has a bad percent escape')
  }
}

function putText(fields: Map<string, Field>, name: string, value: string): void {
  const held = fields.get(name)
  if (held === undefined) fields.set(name, [value])
  else if (Array.isArray(held)) held.push(value)
  else throw new FormFault(`the field ${name} stands there with brackets and without`)
}

interface Into {
  readonly fields: Map<string, Field>
  readonly properties: Properties
}

function putInBrackets({ fields, properties }: Into, name: string, value: string): void {
  const [, base = '', brackets = ''] = NESTED.exec(name) ?? []
  const isDeep = Object.hasOwn(properties, base) && properties[base]!.style === 'deep'
  if (!isDeep) throw new FormFault(`the field ${name} has brackets, which the row does not know`)
  const held = fields.get(base) ?? new Map()
  if (Array.isArray(held))
    throw new FormFault(`the field ${base} stands there with brackets and without`)
  fields.set(base, held)
  if (!putNested(held, brackets.slice(1, -1).split(']['), value))
    throw new FormFault(`the field ${name} does not go with the others, or is nested too deep`)
}

interface At {
  readonly path: string
  readonly report: Report
}

function valueOf(field: Field, schema: ArgSchema | undefined, at: At): unknown {
  if (!Array.isArray(field)) return nestedOf(field, schema, at)
  const [first = '', ...more] = field
  const text = more.length === 0 ? first : field
  const { style } = schema ?? {}
  if (style === 'deep') return scalarOfDeep(text, schema, at)
  if (style === 'json') return typeof text === 'string' ? jsonOf(text, at) : unreadable(text, at)
  const delimiter = style && DELIMITERS[style]
  if (delimiter === undefined) return coerce(text, schema, at)
  return typeof text === 'string' ? text.split(delimiter) : unreadable(text, at)
}

function nestedOf(tree: Tree, schema: ArgSchema | undefined, { path, report }: At): unknown {
  const value = valueOfTree(tree)
  const type = Array.isArray(value) ? 'array' : 'object'
  if (schema?.type !== undefined && schema.type !== type)
    report.malformed(path, value, `write one ${schema.type}, indexes from 0 in order`)
  return value
}

/** Where the row says nothing of the type a text may stand in the place of an object. */
function scalarOfDeep(
  text: string | readonly string[],
  schema: ArgSchema | undefined,
  at: At,
): unknown {
  if (schema?.type === undefined && typeof text === 'string') return text
  at.report.malformed(at.path, text, 'write it once, with brackets')
  return undefined
}

function jsonOf(text: string, { path, report }: At): unknown {
  const read = parseJsonBody(utf8(text))
  if (read.ok) return read.value
  report.malformed(path, text, 'write one JSON value, each member once')
  return undefined
}

function unreadable(text: readonly string[], { path, report }: At): undefined {
  report.malformed(path, text, 'write it once')
}
