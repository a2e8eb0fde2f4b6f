import fc from 'fast-check'
import type { Ask, Bearing } from '../../policy/index.ts'
import { WAYS } from '../../policy/index.ts'

// Lines and calls draw from the same small pools, so that they meet often and miss often.
const NAMES = ['A', 'AB', 'A_B', 'B', 'B_A', 'X', 'café', 'cafe\u0301', '😀', 'a b', '*', 'A*"\\']
const TIMES = [0, 1000, 1_790_000_000_000, 1_790_000_001_000, 4_000_000_000_000]
const PATHS = [
  '/src',
  '/src/',
  '/src/a',
  '/srcret',
  '/src/../etc',
  '//src//b/.',
  'src/a',
  '../src',
  '/',
  '.',
  '',
  '/src/%2e%2e/x',
  '/a\\b',
  '/src/a b',
  '/\u0000',
  '/src/日本',
]
const NUMBERS = [
  0,
  -0,
  1,
  5,
  -5,
  1.5,
  1.0001,
  1.00001,
  0.1 + 0.2,
  899999999999999,
  9e14,
  1e21,
  -1e-7,
]
const HOSTILE: readonly unknown[] = [
  null,
  undefined,
  NaN,
  Infinity,
  '\ud800',
  'A\udfff',
  '',
  {},
  [],
  [[]],
  { __entity: { type: 'A', id: 'b' } },
  { __extn: { fn: 'decimal', arg: '1.0' } },
  JSON.parse('['.repeat(300) + ']'.repeat(300)) as unknown,
  Array.from({ length: 65 }, () => 'A'),
  Array.from({ length: 64 }, () => 'A'),
]

const lineName = fc.constantFrom(...NAMES.filter((name) => !/[ *]/.test(name)))
const glob = fc
  .array(fc.constantFrom('A', 'B', '_', '*', 'é', '😀', '"', '\\'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''))
const listOf = (item: fc.Arbitrary<string>) =>
  fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join(','))
const time = fc.constantFrom(...TIMES).map((at) => new Date(at).toISOString().replace('.000Z', 'Z'))
const number = fc.constantFrom('0', '-0', '1', '5', '-5', '1.5', '1.0001', '899999999999999.9999')
const subject = fc
  .tuple(lineName, fc.constantFrom('a', 'b', 'a.b', 'a.a', 'constructor', '__proto__'))
  .map(([tool, path]) => `${tool}.${path}`)
const text = fc.constantFrom(
  'A',
  'AB',
  '5',
  '-5',
  '0',
  'true',
  'a b',
  '😀',
  '*',
  '"',
  '1.5',
  'null',
)

/** A line that may stand anywhere in a token, any number of times. */
export const line: fc.Arbitrary<string> = fc.oneof(
  listOf(fc.oneof(lineName, glob)).map((value) => `tools = ${value}`),
  listOf(fc.constantFrom(...WAYS)).map((value) => `ways = ${value}`),
  time.map((value) => `expires < ${value}`),
  fc.nat(9).map((value) => `uses <= ${value}`),
  // Always the same, since another task might not follow.
  fc.constant('task = T-7'),
  listOf(fc.constantFrom('/src', '/src/a', '/', 'src', '/src/a b', '/src/日本')).map(
    (value) => `area = ${value}`,
  ),
  lineName.map((value) => `person = ${value}`),
  listOf(fc.oneof(lineName, glob)).map((value) => `model = ${value}`),
  fc.tuple(subject, fc.constantFrom('=', 'prefix'), text).map((parts) => `arg ${parts.join(' ')}`),
  fc.tuple(subject, glob).map(([of, value]) => `arg ${of} glob ${value}`),
  fc.tuple(subject, listOf(text)).map(([of, value]) => `arg ${of} in ${value}`),
  fc.tuple(subject, fc.constantFrom('<=', '>='), number).map((parts) => `arg ${parts.join(' ')}`),
)

export const lines: fc.Arbitrary<string[]> = fc.array(line, { minLength: 1, maxLength: 6 })

const leaf: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES, ...NUMBERS, true, false, '5', 'true') },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
)
const listOrLeaf = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }))
const argument: fc.Arbitrary<unknown> = fc.oneof(
  listOrLeaf,
  fc.record({ a: listOrLeaf, b: listOrLeaf }, { requiredKeys: [] }),
  fc.array(fc.record({ a: leaf, b: leaf }, { requiredKeys: [] }), { maxLength: 3 }),
)

function bearing(values: readonly string[]): fc.Arbitrary<Bearing> {
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<unknown>(...values) },
    { weight: 1, arbitrary: leaf },
  )
  return fc.oneof(
    fc.constant<Bearing>({ kind: 'none' }),
    fc.constant<Bearing>({ kind: 'unknown' }),
    fc.array(value, { maxLength: 3 }).map((found): Bearing => ({ kind: 'values', values: found })),
  )
}

/** A call; most of it is of the right types, some is hostile. */
export const ask: fc.Arbitrary<Ask> = fc
  .record(
    {
      target: fc.constant('GET https://a.example:443/'),
      tool: fc.constantFrom(...NAMES, '\ud800', ''),
      way: fc.constantFrom(...WAYS),
      now: fc.constantFrom(...TIMES, 1_789_999_999_999, 1_790_000_000_000.5, -1, NaN),
      task: fc.constantFrom('T-7', 'T-7/3', 'T-70', 'T-7/../T-8', '', '\ud800'),
      person: fc.constantFrom(...NAMES, '\ud800'),
      args: fc.dictionary(fc.constantFrom('a', 'b'), argument, { noNullPrototype: true }),
      paths: bearing(PATHS),
      model: bearing(NAMES),
      runsCode: fc.boolean(),
    },
    { requiredKeys: ['target', 'tool', 'way', 'now', 'args', 'paths', 'model', 'runsCode'] },
  )
  .map((record) => record as Ask)
