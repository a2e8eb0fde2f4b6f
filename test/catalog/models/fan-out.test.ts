import fc from 'fast-check'
import t from 'tap'
import { modelCallsOf, modelTexts, type ModelCall } from '../../../catalog/index.ts'

type Form = Readonly<{
  input?: string | undefined
  inputs?: readonly string[] | undefined
  n?: number | undefined
  calls?: readonly Form[] | undefined
}>

const text = fc.constantFrom('a', 'b {{x}}', '{{x}}{{y}}', '{{ x }}', '{{{x}}}')
const n = fc.integer({ min: 1, max: 3 })
const leaf = fc.oneof(
  fc.record({ input: text, n }, { requiredKeys: [] }),
  fc.record(
    { inputs: fc.array(text, { minLength: 1, maxLength: 3 }), n },
    { requiredKeys: ['inputs'] },
  ),
)
/** What a form may say besides its calls: an input, several, or none. */
const said = fc.oneof(fc.constant({}), leaf)
const form = fc.letrec<{ readonly form: Form }>((tie) => ({
  form: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc
      .tuple(said, fc.array(tie('form'), { minLength: 1, maxLength: 3 }))
      .map(([own, calls]) => ({ ...own, calls })),
  ),
})).form

/** The plain meaning: the suffixes of the calls, with their inputs. */
function plainly(
  form: Form,
  outer: Form = { input: 'usual' },
): readonly (readonly [string, string])[] {
  const { calls, ...own } = form
  const said = own.input ?? own.inputs
  const merged = said === undefined ? { ...outer, ...own } : { n: outer.n, ...own }
  if (calls !== undefined)
    return calls.flatMap((inner, at) =>
      plainly(inner, merged).map(([suffix, input]) => [`.${at}${suffix}`, input] as const),
    )
  const { inputs = [merged.input!], n = 1 } = merged
  const many = merged.inputs !== undefined || n > 1
  const all = inputs.flatMap((input) => Array.from({ length: n }, () => input))
  return all.map((input, at) => [many ? `.${at}` : '', input] as const)
}

t.test('fan-out is what it plainly means, and ends at 201', async (t) => {
  fc.assert(
    fc.property(form, (inner) => {
      // Both variables are used, whatever the others say.
      const calls = [inner, { input: '{{x}}{{y}}' }]
      const read = modelCallsOf({ input: 'usual', vars: { x: '1', y: '2' }, calls })
      const expected = plainly({ input: 'usual', calls })
      const found = read.map((one) => [one.suffix, one.ok ? one.call.input : one.problems])
      t.strictSame(found, expected.slice(0, 201))
    }),
    { numRuns: 200 },
  )
  const inputs = Array.from({ length: 150 }, () => 'x')
  t.equal(modelCallsOf({ calls: [{ inputs, n: 200 }, { inputs }] }).length, 201)
})

t.test('variables are put in once', async (t) => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (x, y) => {
      const call: ModelCall = { system: 'S{{x}}', input: '{{y}}|{{x}}|{{ x }}', vars: { x, y } }
      const texts = modelTexts(call, (value) => value)
      t.strictSame(texts, { system: `S${x}`, input: `${y}|${x}|{{ x }}` })
    }),
  )
  const plain: ModelCall = { input: '{{x}}' }
  t.equal(modelTexts(plain, (value) => value).input, '{{x}}', 'without any nothing is')
  const taken: ModelCall = { input: { $from: 'a' }, vars: { x: 1 } }
  t.equal(modelTexts(taken, () => '{{x}}').input, '{{x}}', 'an answer is no text of the call')
})
