import fc from 'fast-check'
import t from 'tap'
import { parseJsonBody, recordedArgs } from '../../../catalog/index.ts'
import { RUNS_FACTOR } from '../../policy/support.ts'

// A receipt is JSON: arguments that are taken from it are those that were judged, numbers that no double holds included.

const number = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: 10n ** 15n, max: 10n ** 25n }).map(String),
  fc.constantFrom('9007199254740993', '1.00000000000000001', '-1e400', '1e-400', '0.10', '2E3'),
)
const name = fc.constantFrom('n', 'number', 'a', '__proto__', '0')
const text = fc.constantFrom('"x"', '"9007199254740993"', '""', 'true', 'null')
// As a member's value these would be told from a number by nobody.
const word = fc.constantFrom('"x"', '"7"', '"1.5"', '"1e400x"', 'false')

/** The text of a JSON object, each name once. */
const object = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    number,
    text,
    fc.array(tie('value'), { maxLength: 3 }).map((all) => `[${all.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(name, tie('value'), word), { selector: ([key]) => key, maxLength: 3 })
    .map((members) => {
      const [only] = members
      const safe = members.length === 1 && only?.[0] === 'number' && only[1].startsWith('"')
      return members.map(([key, value, other]) => `"${key}":${safe ? other : value}`)
    })
    .map((members) => `{${members.join(',')}}`),
})).object

/** The value with every written number marked, in whatever object it stands. */
function marked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(marked)
  if (typeof value !== 'object' || value === null) return value
  if (Symbol.toPrimitive in value) return { shown: JSON.stringify(value) }
  return Object.entries(value).map(([key, member]) => [key, marked(member)])
}

t.test('what was judged is what is read from the receipt', async (t) => {
  let met = 0
  fc.assert(
    fc.property(object, (body) => {
      const read = parseJsonBody(Buffer.from(body))
      if (!read.ok) return false
      const args = read.value as Readonly<Record<string, unknown>>
      const recorded = JSON.parse(JSON.stringify(args)) as Record<string, unknown>
      const judged = JSON.stringify(marked(args))
      if (judged.includes('"shown"')) met++
      return JSON.stringify(marked(recordedArgs(recorded))) === judged
    }),
    { numRuns: 2000 * RUNS_FACTOR },
  )
  t.ok(met > 100, `${met} had a number that no double holds`)
})

t.test('what only looks like a number’s place in a receipt stays what it is', async (t) => {
  for (const value of [
    { number: 9007199254740992 },
    { number: '7' },
    { number: '1.50' },
    { number: 'x' },
    { number: '' },
    { number: '9007199254740993', more: 1 },
    { Number: '9007199254740993' },
    ['9007199254740993'],
  ])
    t.strictSame(recordedArgs({ value }), { value })
  t.strictSame(recordedArgs({ number: '9007199254740993' }), { number: '9007199254740993' })
})
