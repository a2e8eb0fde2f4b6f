import { deepStrictEqual as deepEqual } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import {
  createRouter,
  envelopeOfHttp,
  parseJsonBody,
  requestOfCall,
  type ArgSchema,
  type ArgType,
  type Tool,
} from '../../../catalog/index.ts'
import { rowWith } from './rig.ts'

const RUNS = 4000 * Number(process.env['NARROWGATE_RUNS_FACTOR'] ?? 1)
const NAMES = ['owner', 'page', 'labels', 'x-kind', '__proto__x', 'ü', 'a b', 'body']

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
    .map((value): unknown => JSON.parse(JSON.stringify(value))),
}
const SCALARS = ['string', 'integer', 'number', 'boolean'] as const

const TYPES: Readonly<Record<ArgSchema['in'], readonly ArgType[]>> = {
  path: SCALARS,
  header: SCALARS,
  query: ['array', ...SCALARS],
  body: ['array', 'object', ...SCALARS],
}

const argument = fc
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

const call = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), argument), { selector: ([name]) => name })
  .map((list) => list.filter(([name, { schema }]) => schema.in !== 'header' || name === 'x-kind'))

function toolOf(list: readonly (readonly [string, { readonly schema: ArgSchema }])[]): Tool {
  const inPath = list.filter(([, { schema }]) => schema.in === 'path')
  return rowWith({
    method: 'POST',
    path: ['', 'v1', ...inPath.map(([name]) => `{${name}}`)].join('/'),
    args: { properties: Object.fromEntries(list.map(([name, { schema }]) => [name, schema])) },
  })
}

t.test('what is written as HTTP is read as the same call', async (t) => {
  let written = 0
  fc.assert(
    fc.property(call, (list) => {
      const tool = toolOf(list)
      const args = Object.fromEntries(list.map(([name, { value }]) => [name, value]))
      const made = requestOfCall(tool, args)
      if (!made.ok) return
      written += 1
      const { method, origin, path, headers, body } = made.request
      const route = createRouter([tool]).match(method, origin, path)
      if (route?.tool !== tool) throw new Error(`${method} ${path} is not the row's`)
      const parsed = body === undefined ? undefined : parseJsonBody(Buffer.from(body))
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
