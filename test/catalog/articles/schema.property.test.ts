import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import t from 'tap'
import { createReport } from '../../../catalog/check.ts'
import { checkTogether } from '../../../catalog/articles/together.ts'
import { parseArticle, type Article } from '../../../catalog/index.ts'
import { EMPTY } from './_article.ts'

const file = new URL('../../../catalog/article.schema.json', import.meta.url)
const validate = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(file, 'utf8')) as object,
)

/** Texts at the edges of what the parts of an article take. */
const texts = fc.oneof(
  fc.constantFrom('', 'a', 'a-b', 'A', '-', 'a--b', 'T-7/3', 'count', 'p95.ms', 'opened:day'),
  fc.constantFrom(
    '\n',
    '\t',
    '\r',
    '\u0000',
    '\u2028',
    '\ud800',
    '\u{1f600}',
    'default/x y',
    'a.b',
  ),
  fc.constantFrom('exchanges', 'tasks', 'response', 'draft', '0'.repeat(64), 'rows'),
  fc.constantFrom(40, 41, 100, 101, 200, 201, 1000, 1001, 2000, 2001).map((n) => 'a'.repeat(n)),
  fc.constantFrom(200, 201).map((n) => '\u{1f600}'.repeat(n)),
  fc.constantFrom('2026-01-31T12:00:00.000Z', '2026-13-31T12:00:00.000Z', '2026-01-31T12:00:00Z'),
  fc.string({ maxLength: 6, unit: 'binary' }),
)
const plain = fc.oneof(texts, fc.constantFrom(null, true, 0, 1, 2, 3, 4, 255, 256, 1.5, -1))
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    plain,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b.c', 'text', 'items', 'x y'), tie('value'), {
      maxKeys: 3,
    }),
  ),
})).value

/** One of these, or now and then any text. */
function near(...right: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: texts },
  )
}

const item = fc.letrec<{ item: unknown }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 5 },
    near('i', 'j'),
    fc.record({ text: near('x'), items: fc.array(tie('item'), { maxLength: 2 }) }),
  ),
})).item

const where = fc.oneof(
  fc.constantFrom<unknown>(
    {},
    { tool: 'A' },
    { ms: { gte: 5 } },
    { nothing: 1 },
    { or: [{ tool: 'A' }, { not: { task: { prefix: 'T' } } }] },
    { tool: { like: 1 } },
    { and: {} },
  ),
  value,
)

const asked = fc.record(
  {
    view: near('exchanges', 'tasks'),
    where,
    select: fc.oneof(fc.constantFrom(['tool'], ['-tool'], ['a..b'], []), value),
    order: fc.oneof(fc.constantFrom(['-opened'], ['x'], ['*']), value),
    page: fc.oneof(fc.constantFrom({ limit: 5 }, { limit: 201 }, { cursor: 'x' }, {}), value),
    want: fc.oneof(
      fc.constantFrom(
        { aggregate: { count: true, by: ['tool'] } },
        { aggregate: { p90: ['ms'] } },
        { shape: 'receipt' },
        { shape: 'first' },
        {},
      ),
      value,
    ),
  },
  { requiredKeys: [] },
)

/** Members as they should be, so that whole blocks come to be right too; each may be anything or missing. */
const MEMBERS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  level: fc.constantFrom(2, 2, 3, 4),
  text: near('a', 'a **b**', 'a'.repeat(200)),
  items: fc.array(item, { minLength: 1, maxLength: 3 }),
  ordered: fc.constantFrom(true, false, true, 1),
  caption: near('c'),
  columns: fc.array(near('c'), { maxLength: 2 }),
  rows: fc.array(fc.array(near('d', ''), { maxLength: 2 }), { maxLength: 2 }),
  language: near('js'),
  source: fc.constantFrom(0, 1, 255, 256),
  names: fc.array(near('a', 'a.b', 'a.b.c', 'a.b.c.d'), { minLength: 1, maxLength: 2 }),
  title: near('t'),
  task: near('T-7', 'T-7/3'),
  query: asked,
  plot: fc.record({
    view: near('exchanges', 'tasks'),
    by: near('tool', 'opened:day'),
    figure: near('count', 'p95.ms'),
    where,
  }),
  slug: near('a', 'a-b'),
}

const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  heading: ['level', 'text'],
  text: ['text'],
  list: ['items', 'ordered'],
  table: ['caption', 'columns', 'rows'],
  code: ['text', 'language'],
  quote: ['source'],
  facts: ['names'],
  ledger: ['title', 'task'],
  card: ['slug'],
  other: ['text'],
}

/** An object of some of these members, now and then with a strange one or a strange value. */
function some(names: readonly string[], extra: object): fc.Arbitrary<object> {
  const members = Object.fromEntries(
    names.map((name) => [
      name,
      fc.oneof({ weight: 20, arbitrary: MEMBERS[name] ?? texts }, { weight: 1, arbitrary: value }),
    ]),
  )
  const strange = fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constant({ strange: 1 }) },
  )
  return fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.record(members) },
        { weight: 1, arbitrary: fc.record(members, { requiredKeys: [] }) },
      ),
      strange,
    )
    .map(([record, more]) => ({ ...extra, ...record, ...more }))
}

/** Of a ledger block one member says what it asks; two are one too many. */
const ASKING: readonly (readonly string[])[] = [['query'], ['plot'], ['title', 'task', 'plot']]

const block = fc.oneof(
  fc.constantFrom(...Object.entries(OF_TYPE)).chain(([type, names]) => some(names, { type })),
  fc.constantFrom(...ASKING).chain((names) => some(names, { type: 'ledger' })),
)
const blocks = fc.array(block, { minLength: 1, maxLength: 2 })

const sources = fc.array(
  fc.record(
    {
      sha256: near('0'.repeat(64)),
      receipt: near('r-1'),
      part: near('response'),
      quote: near('q'),
      title: near('t'),
    },
    { requiredKeys: ['sha256', 'receipt', 'part'] },
  ),
  { maxLength: 2 },
)
const objects = fc.array(
  fc.record(
    {
      sha256: near('0'.repeat(64)),
      object: near('default/x y'),
      quote: near('q'),
      part: near('x'),
    },
    { requiredKeys: ['sha256'] },
  ),
  { maxLength: 2 },
)

const word = near('a', 'b-c', 'd')
const words = fc.oneof(
  { weight: 4, arbitrary: fc.uniqueArray(word, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(word, { maxLength: 3 }) },
)
const LISTS = { tags: words, above: words, below: words, adjacent: words, nested: words }
const facts = fc.oneof(
  value,
  fc.dictionary(near('a', 'b'), plain),
  fc.constant({ a: { b: { c: 1 } } }),
)
const HEAD = { facts, title: near('t'), slug: near('a'), summary: near(''), kind: near('note') }

/** What is there in place of an article's own members. */
const changes = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      { blocks, sources: fc.oneof(sources, objects) },
      { requiredKeys: ['blocks'] },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({ ...LISTS, ...HEAD, status: near('draft') }, { requiredKeys: [] }),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      { created: texts, updated: texts, hash: texts, schema: texts },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom({ strange: 1 }, { title: undefined }, {}) },
)

/** What the schema cannot say: how parts of an article fit each other. */
function fits(article: Article): boolean {
  const report = createReport()
  checkTogether(article, report)
  return report.problems.length === 0
}

t.test('the schema of articles and its parser agree', async (t) => {
  let right = 0
  let wrong = 0
  fc.assert(
    fc.property(changes, (change) => {
      const article = JSON.parse(JSON.stringify({ ...EMPTY, ...change })) as Article
      const formed = validate(article)
      if (formed) right += 1
      else wrong += 1
      return parseArticle(article).ok === (formed && fits(article))
    }),
    { numRuns: 4000 },
  )
  t.ok(right > 200 && wrong > 200, `${right} right, ${wrong} wrong ones`)
})

t.test('so they do on what is no object', async (t) => {
  for (const odd of [null, [], 1, 'x', {}])
    t.equal(parseArticle(odd).ok, validate(odd), JSON.stringify(odd))
})
