import { deepStrictEqual as deepEqual } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import {
  createRouter,
  envelopeOfHttp,
  parseFormBody,
  parseJsonBody,
  requestOfCall,
  type ArgSchema,
  type ArgStyle,
  type ArgType,
  type Tool,
} from '../../../catalog/index.ts'
import { rowWith } from './rig.ts'

const RUNS = 2500 * Number(process.env['NARROWGATE_RUNS_FACTOR'] ?? 1)
const NAMES = ['owner', 'page', 'labels', 'x-kind', '__proto__x', 'ü', 'a b', 'body']

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Texts that a path, a query and a field can carry. */
const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
const fieldText = fc.string({ unit: visible })
const anyText = fc.oneof(fieldText, fc.string({ unit: 'grapheme' }))
const VALUES: Readonly<Record<ArgType, fc.Arbitrary<unknown>>> = {
  string: anyText,
  integer: fc.maxSafeInteger().map((value) => (value === 0 ? 0 : value)),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  boolean: fc.boolean(),
  array: fc.array(anyText, { minLength: 2 }),
  object: fc
    .dictionary(anyText, fc.jsonValue())
    // As JSON has it: without -0, and with the prototype of every object.
    .map(asJson),
}
const SCALARS = ['string', 'integer', 'number', 'boolean'] as const

const TYPES: Readonly<Record<ArgSchema['in'], readonly ArgType[]>> = {
  path: SCALARS,
  header: SCALARS,
  query: ['array', ...SCALARS],
  body: ['array', 'object', ...SCALARS],
}

/** What stands in brackets: texts at the ends, names without brackets on the way. */
const nested = fc.letrec<{ inside: unknown; object: unknown; list: unknown }>((tie) => ({
  inside: fc.oneof({ maxDepth: 3 }, anyText, tie('object'), tie('list')),
  object: fc.dictionary(fc.constantFrom('a', 'ü', '__proto__', '0', 'a.b'), tie('inside'), {
    minKeys: 1,
    maxKeys: 3,
  }),
  list: fc.array(tie('inside'), { minLength: 1, maxLength: 3 }),
}))

/** A list or an object as it can stand in a form, and how it does. */
const styled: readonly fc.Arbitrary<readonly [ArgType | undefined, ArgStyle, unknown]>[] = [
  fc.tuple(fc.constant('object' as const), fc.constant('deep' as const), nested.object.map(asJson)),
  fc.tuple(fc.constant('array' as const), fc.constant('deep' as const), nested.list.map(asJson)),
  fc.tuple(fc.constant(undefined), fc.constant('deep' as const), nested.inside.map(asJson)),
  fc.tuple(fc.constant('object' as const), fc.constant('json' as const), VALUES.object),
  fc.tuple(
    fc.constant('array' as const),
    fc.constantFrom<ArgStyle[]>('comma', 'space', 'tab', 'pipe'),
    fc.array(anyText, { minLength: 1 }),
  ),
]

const jsonArgument = fc
  .constantFrom<ArgSchema['in'][]>('path', 'query', 'header', 'body')
  .chain((place) =>
    fc.record({ place: fc.constant(place), type: fc.constantFrom(...TYPES[place]) }),
  )
  .chain(({ place, type }) =>
    fc.record({
      schema: fc.constant<ArgSchema>({ in: place, type }),
      value: place === 'header' && type === 'string' ? fieldText : VALUES[type],
    }),
  )

const formArgument = fc.oneof(
  jsonArgument.filter(({ schema }) => schema.in !== 'body' || schema.type !== 'object'),
  ...styled.map((each) =>
    each.map(([type, style, value]) => {
      return { schema: { in: 'body', ...(type && { type }), style } satisfies ArgSchema, value }
    }),
  ),
)

type List = readonly (readonly [string, { readonly schema: ArgSchema; readonly value: unknown }])[]

const listOf = (argument: fc.Arbitrary<List[number][1]>): fc.Arbitrary<List> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), argument), { selector: ([name]) => name })
    .map((list) => list.filter(([name, { schema }]) => schema.in !== 'header' || name === 'x-kind'))

/** How the parameters of a path stand in it. */
const JOINS: readonly ((names: readonly string[]) => string)[] = [
  (names) => names.map((name) => `/{${name}}`).join(''),
  (names) => names.map((name) => `/v{${name}}.json`).join(''),
  (names) => (names.length === 0 ? '' : `/${names.map((name) => `{${name}}`).join('--')}:run`),
]

function toolOf(list: List, join: (names: readonly string[]) => string, body?: 'form'): Tool {
  const inPath = list.flatMap(([name, { schema }]) => (schema.in === 'path' ? [name] : []))
  return rowWith({
    method: 'POST',
    path: `/v1${join(inPath)}`,
    args: { properties: Object.fromEntries(list.map(([name, { schema }]) => [name, schema])) },
    ...(body && { body }),
  })
}

const CALLS = {
  json: fc.tuple(listOf(jsonArgument), fc.constantFrom(...JOINS)).map(([list, join]) => {
    return { list, tool: toolOf(list, join) }
  }),
  form: fc.tuple(listOf(formArgument), fc.constantFrom(...JOINS)).map(([list, join]) => {
    return { list, tool: toolOf(list, join, 'form') }
  }),
}

for (const [kind, calls] of Object.entries(CALLS)) {
  t.test(`what is written as HTTP, with a body of ${kind}, is read as the same call`, async (t) => {
    let written = 0
    fc.assert(
      fc.property(calls, ({ list, tool }) => {
        const args = Object.fromEntries(list.map(([name, { value }]) => [name, value]))
        const made = requestOfCall(tool, args)
        if (!made.ok) return
        written += 1
        const { method, origin, path, headers, body } = made.request
        const route = createRouter([tool]).match(method, origin, path)
        if (route?.tool !== tool) throw new Error(`${method} ${path} is not the row's`)
        const parsed = body === undefined ? undefined : parsedBody(tool, Buffer.from(body))
        if (parsed?.ok === false) throw new Error(parsed.reason)
        const read = envelopeOfHttp({
          ...route,
          origin,
          path,
          body: parsed?.value,
          header: (name) => headers[headers.indexOf(name) + 1],
        })
        deepEqual(read.ok && read.envelope.args, args)
      }),
      { numRuns: RUNS },
    )
    t.ok(written > RUNS / 4, `${written} calls could be written`)
  })
}

function parsedBody(tool: Tool, bytes: Buffer) {
  return tool.body === 'form' ? parseFormBody(bytes, tool) : parseJsonBody(bytes)
}
