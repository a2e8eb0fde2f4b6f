import fc from 'fast-check'
import t from 'tap'
import { envelopeOfHttp, type JsonBody, parseJsonBody, type Tool } from '../../../catalog/index.ts'
import { createDecider, parseCaveat } from '../../../policy/index.ts'
import { askOf, RUNS_FACTOR, tokenOf } from '../../policy/support.ts'

// A line about an argument may hold only where it is true of the number as it is written, which is what is sent.

const tool: Tool = {
  name: 'PAY',
  summary: '',
  scheme: 'https',
  host: 'api.example',
  method: 'POST',
  path: '/pay',
  args: { properties: { q: { in: 'query', type: 'number' } } },
}

/** The arguments of a call that has the number in its query and, in several places, in its body. */
function argsOf(text: string): Readonly<Record<string, unknown>> {
  const body = parseJsonBody(Buffer.from(`{"n":${text},"deep":{"10":[[${text}]]},"2":${text}}`))
  const origin = { scheme: 'https', host: 'api.example', port: 443 } as const
  const path = `/pay?q=${text.replace('+', '%2B')}`
  const read = envelopeOfHttp({ tool, origin, path, body: (body as JsonBody).value })
  return read.ok ? (read.envelope.args ?? {}) : {}
}

/** A number as a count of 10^power, read without the product's help. */
interface Decimal {
  readonly count: bigint
  readonly power: number
}

function decimalOf(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { count: BigInt(whole + fraction), power: Number(exponent) - fraction.length }
}

function compare(a: Decimal, b: Decimal): number {
  const power = Math.min(a.power, b.power)
  const [one, two] = [a, b].map((x) => x.count * 10n ** BigInt(x.power - power)) as [bigint, bigint]
  return one < two ? -1 : one > two ? 1 : 0
}

const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
  '=': (order) => order === 0,
}

const digits = (min: number, max: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max })
    .map((all) => all.join(''))

/** What lines may ask for. */
const bound = fc.oneof(
  fc.constantFrom('0', '1', '-1', '0.1', '0.0001', '899999999999999'),
  fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }).map(String),
)

/** Numbers near the bound, a hair beside it, or anywhere. */
function near(text: string): fc.Arbitrary<string> {
  const point = text.includes('.') ? '' : '.'
  const beside = fc
    .tuple(digits(0, 24), fc.constantFrom('', '0', '1', '9'))
    .map(([zeros, last]) => `${text}${point}${zeros.replaceAll(/[1-9]/g, '0')}0${last}`)
  const shifted = digits(0, 30).map(
    (zeros) => `${text.replace('.', '')}${zeros.replaceAll(/\d/g, '0')}`,
  )
  return fc.oneof(
    beside,
    // The bound less a hair: 0.9999… for 1.
    digits(1, 24).map((nines) => `${nextBelow(text)}.${nines.replaceAll(/\d/g, '9')}`),
    fc
      .tuple(shifted, fc.integer({ min: -40, max: 2 }))
      .map(([all, power]) => `${canonical(all)}e${power}`),
    anywhere,
  )
}

function nextBelow(text: string): string {
  const whole = BigInt(text.split('.')[0] ?? '0')
  return whole > 0n ? String(whole - 1n) : String(whole)
}

/** Without leading zeros, which JSON does not have. */
function canonical(text: string): string {
  return text.replace(/^(-?)0+(?=\d)/, '$1')
}

const anywhere = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), digits(1, 25)),
    fc.option(digits(1, 25), { nil: undefined }),
    fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined }),
  )
  .map(([sign, whole, fraction, power]) =>
    canonical(
      `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${power === undefined ? '' : `E${power < 0 ? '' : '+'}${power}`}`,
    ),
  )

const asked = bound.chain((value) =>
  fc.record({ value: fc.constant(value), op: fc.constantFrom('<=', '>=', '='), text: near(value) }),
)
const PLACES = ['n', 'deep.10', '2', 'q'] as const

t.test(
  'a line about a number holds only where the number as it is written satisfies it',
  async (t) => {
    let held = 0
    let rounded = 0
    fc.assert(
      fc.property(asked, ({ value, op, text }) => {
        const args = argsOf(text)
        const order = compare(decimalOf(text), decimalOf(value))
        const isTrue = HOLDS[op]!(order)
        // What a double would have made of it, so that the test knows to have met the hole.
        if (HOLDS[op]!(Math.sign(Number(text) - Number(value))) && !isTrue) rounded++
        return PLACES.every((place) => {
          const { clause } = parseCaveat(`arg PAY.${place} ${op} ${value}`)
          const holds = clause.refuses(askOf({ tool: 'PAY', args })) === undefined
          if (holds) held++
          return isTrue || !holds
        })
      }),
      { numRuns: 4000 * RUNS_FACTOR },
    )
    t.ok(held > 100, `${held} lines held`)
    t.ok(rounded > 10, `${rounded} numbers would have passed for others`)
  },
)

t.test('both engines say the same of it', async (t) => {
  const decider = createDecider()
  fc.assert(
    fc.property(asked, ({ value, op, text }) => {
      const token = tokenOf(`arg PAY.n ${op} ${value}`)
      const { allow, disagreement } = decider.judge(
        token,
        askOf({ tool: 'PAY', args: argsOf(text) }),
      )
      return !disagreement && (!allow || HOLDS[op]!(compare(decimalOf(text), decimalOf(value))))
    }),
    { numRuns: 300 * RUNS_FACTOR },
  )
  t.equal(
    decider.judge(tokenOf('arg PAY.n <= 1'), askOf({ tool: 'PAY', args: argsOf('1.0') })).allow,
    true,
  )
})

t.test('a number of at most four places is compared, however it is spelled', async (t) => {
  const plain = fc.tuple(
    fc.integer({ min: -99999, max: 99999 }),
    fc.integer({ min: 0, max: 4 }),
    digits(0, 20),
  )
  fc.assert(
    fc.property(plain, fc.integer({ min: -99999, max: 99999 }), ([count, places, zeros], limit) => {
      const spelled = canonical(`${count}${zeros.replaceAll(/\d/g, '0')}e-${places + zeros.length}`)
      const { clause } = parseCaveat(`arg PAY.n <= ${limit}`)
      const holds = clause.refuses(askOf({ tool: 'PAY', args: argsOf(spelled) })) === undefined
      return holds === compare(decimalOf(spelled), decimalOf(String(limit))) <= 0
    }),
    { numRuns: 1000 * RUNS_FACTOR },
  )
  t.equal(argsOf('25e-1')['n'], 2.5)
})
