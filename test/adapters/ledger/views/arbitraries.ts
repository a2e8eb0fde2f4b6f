import fc from 'fast-check'
import { VIEWS, type ViewName, type Want } from '../../../../catalog/index.ts'

type Record_ = Readonly<Record<string, unknown>>

/** Texts that SQL, patterns and sorting could each take for something else. */
export const WORDS = [
  'T-7',
  'T-7/1',
  'T-7/1/2',
  'T-70',
  'a',
  'A',
  'ab',
  'é',
  '\u{1F600}',
  '\uffee',
  '%',
  'a_b',
  'axb',
  'a?',
  '[a]',
  "'",
  '\\',
  '"',
  '',
]
const word = fc.constantFrom(...WORDS)
const time = fc
  .integer({ min: 0, max: 40 * 86_400 })
  .map((s) => new Date(Date.UTC(2026, 0, 20) + s * 997).toISOString())
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const small = fc.integer({ min: 0, max: 12 })
const duration = fc.integer({ min: 0, max: 30_000 }).map((us) => us / 1000)

const intent = fc.record({
  id: fc.uuid(),
  opened: maybe(time),
  door: fc.constantFrom('proxy', 'mount'),
  task: maybe(word),
  grant: maybe(fc.constantFrom('g1', 'g2', 'G1')),
  person: maybe(word),
  keys: maybe(word),
  tool: maybe(fc.constantFrom('GITHUB_A', 'GITHUB_B', 'HTTP_GET', 'http_get')),
  model: maybe(fc.constantFrom('m-1', 'm-2')),
  upstream: maybe(
    fc.constantFrom({ method: 'GET', url: 'https://api.example.test/a?b=%25' }, { method: 'PUT' }),
  ),
  policy: maybe(word),
  noise: maybe(fc.constant(true)),
})

const outcome = fc.record({
  outcome: fc.constantFrom('allowed', 'failed', 'gone', 'refused'),
  ran: fc.constantFrom<unknown>(true, false, 'unknown'),
  status: maybe(fc.constantFrom(200, 404, 500)),
  code: maybe(fc.constantFrom('expired', 'upstream_failed')),
  closed: maybe(time),
  noise: maybe(fc.constant(true)),
  request: maybe(fc.record({ bytes: small })),
  response: maybe(fc.record({ bytes: small })),
  delivered: maybe(fc.record({ bytes: small })),
  timing: maybe(fc.record({ token: duration, upstream: duration, body: duration })),
})

const refusal = fc.record({
  reasons: fc.array(
    fc.record({ axis: fc.constantFrom('tools', 'uses'), caveat: word, got: word, repair: word }),
    { maxLength: 3 },
  ),
  aggregated: maybe(fc.record({ total: small })),
  would_refuse: maybe(fc.constant([{}])),
})

/** What happens to a log. An exchange may be left open. */
export type Happening =
  | { readonly kind: 'exchange'; readonly intent: Record_; readonly outcome: Record_ | undefined }
  | { readonly kind: 'refusal'; readonly record: Record_ }
  | { readonly kind: 'event' }

export const happenings: fc.Arbitrary<readonly Happening[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('exchange' as const),
        intent,
        outcome: maybe(outcome),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(intent, outcome, refusal).map((parts) => ({
        kind: 'refusal' as const,
        record: { ...Object.assign({}, ...parts), outcome: 'refused' } as Record_,
      })),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'event' as const }) },
  ),
  { minLength: 80, maxLength: 120, size: 'max' },
)

function valueFor(type: string): fc.Arbitrary<string | number | boolean> {
  if (type === 'text')
    return fc.oneof(
      word,
      fc.constantFrom('GITHUB_A', 'refused', 'expired', 'g1', 'm-1', 'GET', 'yes', '200'),
    )
  if (type === 'time')
    return fc.oneof(time, fc.constantFrom('2026-02-01', '2026-01-25T12:00:00+02:00'))
  if (type === 'flag') return fc.boolean()
  return type === 'milliseconds'
    ? fc.oneof(duration, fc.constant(0.0005))
    : fc.oneof(small, fc.constantFrom(200, 404, 5.5))
}

export const PATTERNS = [
  '*',
  'GITHUB_*',
  '*_*',
  'T-7*',
  '*1*2',
  'a?',
  '*[a]*',
  '%',
  'a*b',
  '**',
  '\\*',
  '',
]

function testsFor(type: string): fc.Arbitrary<Record_ | string | number | boolean> {
  const value = valueFor(type)
  const tests: Record<string, fc.Arbitrary<unknown>> = {
    eq: value,
    ne: value,
    in: fc.array(value, { maxLength: 3 }),
    exists: fc.boolean(),
  }
  if (type !== 'flag') for (const name of ['lt', 'lte', 'gt', 'gte']) tests[name] = value
  if (type === 'text') Object.assign(tests, { glob: fc.constantFrom(...PATTERNS), prefix: word })
  const some = fc
    .subarray(Object.keys(tests), { minLength: 1, maxLength: 2 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, tests[name]!]))))
  return fc.oneof(value, some) as fc.Arbitrary<Record_ | string>
}

/** Half of all questions have no filter, so that there is something to order, page and figure. */
function whereFor(view: ViewName): fc.Arbitrary<Record_> {
  const fields = Object.entries(VIEWS[view].fields)
  const one = fc
    .constantFrom(...fields)
    .chain(([name, { type }]) => testsFor(type).map((tests) => ({ [name]: tests })))
  const { where } = fc.letrec<{ where: Record_ }>((tie) => ({
    where: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      one,
      fc.array(one, { maxLength: 2 }).map((parts) => Object.assign({}, ...parts) as Record_),
      fc.array(tie('where'), { maxLength: 3 }).map((and) => ({ and })),
      fc.array(tie('where'), { maxLength: 3 }).map((or) => ({ or })),
      tie('where').map((not) => ({ not })),
    ),
  }))
  return fc.oneof(fc.constant({}), where)
}

function namesOf(view: ViewName, types: readonly string[]): readonly string[] {
  return Object.entries(VIEWS[view].fields)
    .filter(([, { type }]) => types.includes(type))
    .map(([name]) => name)
}

const page = fc.record({ limit: fc.constantFrom(3, 20, 10_000) })

function ordered(names: readonly string[], most = 3): fc.Arbitrary<string[]> {
  const term = fc
    .tuple(fc.constantFrom(...names), fc.boolean())
    .map(([name, down]) => (down ? `-${name}` : name))
  return fc.array(term, { maxLength: most })
}

function rowsWant(view: ViewName): fc.Arbitrary<Want> {
  const names = Object.keys(VIEWS[view].fields)
  return fc.record({
    where: whereFor(view),
    order: ordered(names),
    page,
    select: fc.subarray([...names, '*', '-seq']),
  }) as fc.Arbitrary<Want>
}

function figuresWant(view: ViewName): fc.Arbitrary<Want> {
  const numbers = namesOf(view, ['number', 'milliseconds'])
  const any = namesOf(view, ['number', 'milliseconds', 'text', 'time'])
  const times = namesOf(view, ['time']).flatMap((name) =>
    ['minute', 'hour', 'day', 'week', 'month', 'year'].map((unit) => `${name}:${unit}`),
  )
  const some = (names: readonly string[]) =>
    fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 })
  const figures = {
    count: fc.constant(true),
    sum: some(numbers),
    min: some(any),
    max: some(any),
    avg: some(numbers),
    p50: some(numbers),
    p95: some(numbers),
    p99: some(numbers),
  }
  const by = some([...Object.keys(VIEWS[view].fields), ...times, ...times])
  return fc
    .tuple(whereFor(view), fc.record(figures, { requiredKeys: ['count'] }), maybe(by), page)
    .chain(([where, aggregate, by, page]) => {
      if (by === undefined) return fc.constant({ where, want: { aggregate } })
      const columns = Object.entries(aggregate).flatMap(([name, fields]) =>
        Array.isArray(fields) ? fields.map((field) => `${name}.${field}`) : [name],
      )
      return ordered([...columns, ...by.map((name) => `by.${name}`)]).map((order) => ({
        where,
        order,
        page,
        want: { aggregate: { ...aggregate, by } },
      }))
    }) as fc.Arbitrary<Want>
}

/** Any question to any view. */
export const questions: fc.Arbitrary<readonly [ViewName, Want]> = fc
  .constantFrom(...(Object.keys(VIEWS) as ViewName[]))
  .chain((view) => fc.oneof(rowsWant(view), figuresWant(view)).map((want) => [view, want] as const))
