import {
  parseJsonBody,
  writtenJson,
  type ArgSchema,
  type FieldProblem,
  type Tool,
} from '../../../../catalog/index.ts'
import { html, type Markup } from '../../../pages/html.ts'
import type { Form } from '../forms.ts'

type Args = Readonly<Record<string, unknown>>

/** Stands before an argument's name in the form. */
const ARG = 'arg.'

/** The field with the arguments that the row does not name, where it takes such. */
export const MORE = 'more'

/** A field for each argument of the row, filled in. */
export function argFields(tool: Tool, args: Args): readonly Markup[] {
  const { properties } = tool.args
  const named = Object.entries(properties).map(([name, schema]) =>
    field(`${ARG}${name}`, name, { schema, text: fieldText(args[name], schema) }),
  )
  if (tool.body !== 'open') return named
  const more = Object.entries(args).filter(([name]) => !Object.hasOwn(properties, name))
  const text = more.length === 0 ? '' : writtenJson(Object.fromEntries(more))
  const schema = { type: 'object', description: 'Fields besides, as a JSON object.' } as const
  return [...named, field(MORE, 'More', { schema, text })]
}

interface Filled {
  readonly schema: Omit<ArgSchema, 'in'>
  readonly text: string
}

function field(id: string, label: string, { schema, text }: Filled): Markup {
  const { type, required, description, enum: choices } = schema
  const says = [
    required === true ? 'required' : undefined,
    type,
    choices && `one of ${choices.join(', ')}`,
    description,
  ].filter((part) => part !== undefined)
  const rows = Math.min(8, Math.max(1, Math.ceil(text.length / 60)))
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <textarea
      class="code"
      id="${id}"
      name="${id}"
      rows="${rows}"
      spellcheck="false"
      aria-describedby="${id}-help"
    >
${text}</textarea>
    <p class="help" id="${id}-help">${says.join(' · ')}</p>
  </div>`
}

/** A text stands as it is, unless it would be read as something else, or a browser would send it changed. */
function fieldText(value: unknown, schema: ArgSchema): string {
  if (value === undefined) return ''
  const isPlain = typeof value === 'string' && valueOf(value, schema) === value
  return isPlain && /^[^\u0000-\u001f]+$/.test(value) ? value : writtenJson(value)
}

/** The arguments of a form that was sent, or what is wrong with them. Fields without a text are left out. */
export function readArgs(
  tool: Tool,
  form: Form,
): { readonly args: Args; readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = []
  const malformed = (path: string, got: string, repair: string) =>
    void problems.push({ code: 'malformed_request', path, got, repair })
  const { properties } = tool.args
  const named = Object.entries(properties).flatMap(([name, schema]) => {
    const text = form[`${ARG}${name}`] ?? ''
    if (text === '') return []
    const value = valueOf(text, schema)
    if (value === undefined) malformed(name, 'no JSON', `write one ${schema.type ?? 'value'}`)
    return [[name, value] as const]
  })
  const more = form[MORE] === undefined || form[MORE] === '' ? {} : jsonIn(form[MORE])
  if (typeof more === 'object' && more !== null && !Array.isArray(more))
    return { args: { ...more, ...Object.fromEntries(named) }, problems }
  malformed(MORE, 'no JSON object', 'write an object: `{"name": "value"}`')
  return { args: Object.fromEntries(named), problems }
}

/** A text in JSON's quotes is what they hold; any other is itself, where the row takes texts. */
function valueOf(text: string, { type }: ArgSchema): unknown {
  const json = jsonIn(text)
  if (type === 'string') return typeof json === 'string' ? json : text
  return type === undefined ? (json ?? text) : json
}

function jsonIn(text: string): unknown {
  const read = parseJsonBody(Buffer.from(text))
  return read.ok ? read.value : undefined
}
