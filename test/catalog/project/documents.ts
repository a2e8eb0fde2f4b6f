import fc from 'fast-check'

/** Number of property runs: `NARROWGATE_RUNS_FACTOR` makes a run longer or shorter. */
export function runs(count: number): number {
  return Math.max(1, Math.round(count * Number(process.env['NARROWGATE_RUNS_FACTOR'] ?? 1)))
}

const NAMES = ['id', 'a', 'b', 'user', 'login', 'items', 'data', 'tags', 'é', '__proto__', 'next']
const SPACES = ['', '', '', ' ', '\n', '\t \r\n']
const NUMBERS = [
  '0',
  '-0',
  '1',
  '2',
  '3',
  '-1.50',
  '1e3',
  '12345678901234567890123',
  '0.1E-7',
  '1e999',
]
const TEXTS = [
  '',
  'x',
  'y',
  'é',
  '😀',
  '\\u0041',
  '\\ud800',
  '\\n\\"\\\\\\/',
  'z'.repeat(40),
  '€uro',
]

const space = fc.constantFrom(...SPACES)
const spelledName = fc.tuple(fc.constantFrom(...NAMES), fc.nat(3)).map(([name, how]) => {
  const code = name.charCodeAt(0).toString(16).padStart(4, '0')
  return how === 0 ? `"\\u${code}${name.slice(1)}"` : `"${name}"`
})
const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS).map((text) => `"${text}"`) },
  { weight: 2, arbitrary: fc.constantFrom('true', 'false', 'null') },
)

const { value, object, array } = fc.letrec<Record<'value' | 'object' | 'array', string>>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: tie('object') },
    { weight: 2, arbitrary: tie('array') },
  ),
  object: fc
    .array(fc.tuple(spelledName, space, tie('value'), space), { maxLength: 5 })
    .map((members) => `{${members.map(([n, s, v, t]) => `${s}${n}:${t}${v}`).join(',')}}`),
  array: fc
    .array(fc.tuple(space, tie('value')), { maxLength: 5 })
    .map((items) => `[${items.map(([s, v]) => s + v).join(',')}]`),
}))

/** Objects with the members that the wants of `wants.ts` ask for. */
const row = fc
  .record({ id: scalar, a: value, user: object, tags: array })
  .map(({ id, a, user, tags }) => `{"id":${id},"user":${user},"a":${a},"tags":${tags}}`)
const rows = fc
  .array(fc.oneof({ weight: 4, arbitrary: row }, { weight: 1, arbitrary: value }), { maxLength: 6 })
  .map((items) => `[${items.join(', ')}]`)
const envelope = fc
  .tuple(fc.constantFrom('items', 'data'), rows, value, value)
  .map(([name, list, before, after]) => `{"a":${before},"${name}":${list},"next":${after}}`)
const deepEnvelope = fc
  .tuple(rows, object)
  .map(([list, user]) => `{"user":${user},"data":{"id":1,"items":${list},"cursor":"u"}}`)

/** Texts of JSON documents, as strange as JSON allows. */
export const documents: fc.Arbitrary<string> = fc
  .tuple(space, fc.oneof(value, object, rows, envelope, deepEnvelope), space)
  .map((parts) => parts.join(''))

/** Lines of JSON. */
export const lines: fc.Arbitrary<string> = fc
  .array(fc.oneof(row, scalar, fc.constant('')), { maxLength: 6 })
  .map((list) => list.map((line) => line.replaceAll(/[\r\n]/g, ' ')).join('\n'))

/** Documents that are damaged: a byte changed, put in or left out, or the end cut off. */
export const damaged: fc.Arbitrary<Uint8Array> = fc
  .tuple(documents, fc.nat(), fc.nat(255), fc.nat(3))
  .map(([text, place, byte, how]) => {
    const bytes = new TextEncoder().encode(text)
    const at = bytes.length === 0 ? 0 : place % bytes.length
    if (how === 0) return bytes.slice(0, at)
    const middle = how === 1 ? [] : [byte]
    return Uint8Array.from([
      ...bytes.slice(0, at),
      ...middle,
      ...bytes.slice(how === 3 ? at : at + 1),
    ])
  })
