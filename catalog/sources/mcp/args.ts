import { isMembers } from '../../check.ts'
import type { ArgSchema, ArgType, Tool } from '../../tool.ts'
import { listOf, membersOf } from '../openapi/values.ts'
import type { Remark } from '../openapi/types.ts'
import { lineOf } from './text.ts'

const TYPES: readonly string[] = ['string', 'integer', 'number', 'boolean', 'array', 'object']
const LONGEST_DESCRIPTION = 200
const LONGEST_NAME = 128
const LONGEST_CHOICE = 128
const MOST_CHOICES = 64
const MOST_ARGUMENTS = 256
const UNSEEN = /\p{C}/u
/** What may ask for fields that `properties` does not name. */
const COMPOSED = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'if'] as const

type Schema = Readonly<Record<string, unknown>>

/** The arguments of a tool by its `inputSchema`, or why they are none that a call could have. */
export type ToolArgs =
  | (Pick<Tool, 'args' | 'body'> & { readonly notes: readonly Remark[] })
  | { readonly why: string }

/**
 * Every member of `properties` is an argument, described as far as a row describes one. References are not followed, so that no
 * schema is too deep: what lies behind one is an argument of any type.
 */
export function argsOfTool(inputSchema: unknown, tool: string): ToolArgs {
  const schema = membersOf(inputSchema)
  const fields = Object.entries(membersOf(schema['properties']))
  const required = new Set(listOf(schema['required']))
  if (fields.length > MOST_ARGUMENTS) return { why: `it has more than ${MOST_ARGUMENTS} arguments` }
  const properties: Record<string, ArgSchema> = {}
  const notes: Remark[] = []
  for (const [name, field] of fields) {
    if (isName(name)) {
      properties[name] = argOf(membersOf(field), required.has(name))
      continue
    }
    const shown = lineOf(name, LONGEST_NAME) ?? 'without a name'
    if (required.has(name)) return { why: `it needs the argument ${shown}, whose name is none` }
    notes.push({ at: tool, why: `the argument ${shown} is left out: its name is none` })
  }
  const open = isOpen(schema)
  if (!isMembers(inputSchema)) notes.push({ at: tool, why: 'it does not say what it takes' })
  return { args: { properties }, ...(open && { body: 'open' as const }), notes }
}

function isName(name: string): boolean {
  return name !== '' && name !== '__proto__' && name.length <= LONGEST_NAME && !UNSEEN.test(name)
}

/** Whether there may be arguments that the schema's properties do not name. */
function isOpen(schema: Schema): boolean {
  const more = schema['additionalProperties']
  if (more === false) return false
  if (more === true || isMembers(more)) return true
  return schema['type'] !== 'object' || COMPOSED.some((word) => schema[word] !== undefined)
}

function argOf(schema: Schema, required: boolean): ArgSchema {
  const type = typeOf(schema)
  const description = lineOf(schema['description'] ?? schema['title'], LONGEST_DESCRIPTION)
  const choices = choicesOf(schema)
  return {
    in: 'body',
    ...(type !== undefined && { type }),
    ...(required && { required }),
    ...(description !== undefined && { description }),
    ...(choices.length > 0 && { enum: choices }),
  }
}

/** The only type that a value may have besides null; undefined where there are several, or it is not said. */
function typeOf(schema: Schema): ArgType | undefined {
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
  const said = [schema, ...choices.slice(0, MOST_CHOICES)].flatMap((one) =>
    [membersOf(one)['type']].flat(),
  )
  const types = new Set(said.filter((type) => type !== undefined && type !== 'null'))
  const isWhole = choices.every((choice) => membersOf(choice)['type'] !== undefined)
  const [only] = types
  return types.size === 1 && isWhole && TYPES.includes(only as string)
    ? (only as ArgType)
    : undefined
}

function choicesOf(schema: Schema): NonNullable<ArgSchema['enum']> {
  const choices = listOf(schema['enum'])
  const isShown = choices.length <= MOST_CHOICES && choices.every(isChoice)
  return isShown ? choices.filter(isChoice) : []
}

function isChoice(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= LONGEST_CHOICE && !UNSEEN.test(value)
  return typeof value === 'number' || typeof value === 'boolean'
}
