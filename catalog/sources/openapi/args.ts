import { isMembers, type Members } from '../../check.ts'
import type { ArgPlace, ArgSchema, ArgType, Tool } from '../../tool.ts'
import { styleOf } from './styles.ts'
import type { Body, Operation, Parameter, Remark, Schema } from './types.ts'
import { firstLine, listOf, membersOf, shortened } from './values.ts'

const TYPES: readonly string[] = ['string', 'integer', 'number', 'boolean', 'array', 'object']
/** Which place an argument has where the document gives its name to several. */
const PLACES: readonly string[] = ['path', 'query', 'header', 'body']
/** Fields that are the client's, or ours, and no arguments (OpenAPI 3.1, 4.8.12.1). */
const NO_ARGUMENTS: readonly string[] = ['accept', 'content-type', 'authorization']
const LONGEST_DESCRIPTION = 200
const MOST_CHOICES = 64
/** Parts of a body's schema below this depth are not looked into. */
const DEEPEST = 8

export interface Args {
  readonly properties: Readonly<Record<string, ArgSchema>>
  /** As the row's. */
  readonly body: Tool['body']
  readonly notes: readonly Remark[]
}

/**
 * The arguments of an operation: those of its path, which are all there, of query and header, and the fields of its JSON body or form.
 * Or why it cannot be called: it needs a field of which it is not known how it stands in a form.
 */
export function argsOf(
  operation: Operation,
  inPath: readonly string[],
): Args | { readonly why: string } {
  const properties: Record<string, ArgSchema> = {}
  const notes: Remark[] = []
  const leaveOut = (why: string) => notes.push({ at: operation.at, why })
  for (const parameter of inOrder(operation, inPath)) {
    const { name, in: place } = parameter
    if (place === 'header' && NO_ARGUMENTS.includes(name.toLowerCase())) continue
    if (name === '__proto__') leaveOut(`the argument ${name} is left out: no object may have it`)
    else if (place === 'path' && !inPath.includes(name)) {
      leaveOut(`the path argument ${name} is left out: it is not in the path`)
    } else if (!PLACES.includes(place)) leaveOut(`the ${place} argument ${name} is left out`)
    else if (Object.hasOwn(properties, name)) {
      leaveOut(
        `the ${place} argument ${name} is left out: the ${properties[name]!.in} has one of that name`,
      )
    } else {
      const arg = argOf(parameter, place as ArgPlace, operation.body)
      if (!('why' in arg)) properties[name] = arg
      else if (parameter.required)
        return { why: `its argument ${name} cannot be written: ${arg.why}` }
      else leaveOut(`the ${place} argument ${name} is left out: ${arg.why}`)
    }
  }
  return { properties, body: kindOf(operation.body), notes }
}

function inOrder(operation: Operation, inPath: readonly string[]): readonly Parameter[] {
  const said = [...operation.parameters, ...bodyFields(operation)]
  const unsaid = inPath
    .filter((name) => !said.some((other) => other.in === 'path' && other.name === name))
    .map((name) => ({ name, in: 'path', schema: { type: 'string' }, required: true }))
  const all = [...unsaid, ...said]
  return all.toSorted((a, b) => PLACES.indexOf(a.in) - PLACES.indexOf(b.in))
}

function argOf(
  { name, schema, required }: Parameter,
  place: ArgPlace,
  body: Body | undefined,
): ArgSchema | { readonly why: string } {
  const type = typeOf(schema)
  const isInForm = place === 'body' && body?.media === 'form'
  const style = isInForm ? styleOf(type, schema, body.encoding[name]) : {}
  if ('why' in style) return style
  const choices = listOf(schema['enum']).filter(isScalar)
  const description = shortened(firstLine(schema['description']) ?? '', LONGEST_DESCRIPTION)
  return {
    in: place,
    ...(type && { type }),
    ...style,
    ...(required || place === 'path' ? { required: true } : {}),
    ...(description !== '' && { description }),
    ...(choices.length > 0 && choices.length <= MOST_CHOICES && { enum: choices }),
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The type of a schema; in 3.1 it may be a list of which one is `null`. Undefined where it may be of several. */
function typeOf(schema: Schema): ArgType | undefined {
  const types = [schema['type']].flat().filter((type) => type !== 'null')
  const [only] = types
  return types.length === 1 && TYPES.includes(only as string) ? (only as ArgType) : undefined
}

/** The fields of a JSON body that is an object; any other body is the one argument `body`. */
function bodyFields({ body }: Operation): readonly Parameter[] {
  if (body === undefined) return []
  const { fields, required } = fieldsOf(body.schema, 0)
  if (kindOf(body) === 'whole')
    return [{ name: 'body', in: 'body', schema: body.schema, required: body.required }]
  return [...fields].map(([name, schema]) => {
    return { name, in: 'body', schema, required: body.required && required.has(name) }
  })
}

/** A JSON body without named fields is open where it is an object, or may be anything. */
function kindOf(body: Body | undefined): Tool['body'] {
  if (body === undefined) return undefined
  if (body.media === 'form') return 'form'
  const mayHaveMore = body.schema['additionalProperties']
  if (fieldsOf(body.schema, 0).fields.size > 0)
    return mayHaveMore === true || isMembers(mayHaveMore) ? 'open' : undefined
  return typeOf(body.schema) === 'object' || Object.keys(body.schema).length === 0
    ? 'open'
    : 'whole'
}

interface Fields {
  readonly fields: ReadonlyMap<string, Members>
  readonly required: ReadonlySet<string>
}

/** The fields that a schema names, with those of all its `allOf`, and of the choices of `oneOf` and `anyOf`, which none must have. */
function fieldsOf(schema: Schema, depth: number): Fields {
  const fields = new Map<string, Members>()
  const required = new Set(listOf(schema['required']).filter((name) => typeof name === 'string'))
  const add = (more: Iterable<readonly [string, Members]>) => {
    for (const [name, field] of more) if (!fields.has(name)) fields.set(name, field)
  }
  const named = Object.entries(membersOf(schema['properties']))
  add(
    named.flatMap(([name, field]) =>
      isReadOnly(field) ? [] : [[name, membersOf(field)] as const],
    ),
  )
  if (depth < DEEPEST) {
    for (const part of listOf(schema['allOf']).filter(isMembers)) {
      const inner = fieldsOf(part, depth + 1)
      add(inner.fields)
      for (const name of inner.required) required.add(name)
    }
    for (const choice of [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].filter(
      isMembers,
    )) {
      add(fieldsOf(choice, depth + 1).fields)
    }
  }
  return { fields, required }
}

function isReadOnly(field: unknown): boolean {
  return isMembers(field) && field['readOnly'] === true
}
