import t from 'tap'
import {
  PLAIN_PARAMETERS,
  readPlainWant,
  VIEWS,
  type Parameters,
  type ViewName,
} from '../../../catalog/index.ts'

function read(given: Parameters, view: ViewName = 'exchanges') {
  const result = readPlainWant(view, given)
  return result.ok ? result.want : result.problems.map(({ code, path }) => `${code} ${path}`)
}

t.test('plain parameters say what the grammar says', async (t) => {
  const cases: readonly (readonly [string, object])[] = [
    ['', {}],
    ['outcome=refused', { where: { outcome: { eq: 'refused' } } }],
    ['outcome=refused&outcome=failed', { where: { outcome: { in: ['refused', 'failed'] } } }],
    ['tool=GITHUB_*', { where: { tool: { glob: 'GITHUB_*' } } }],
    ['tool.eq=A*', { where: { tool: { eq: 'A*' } } }],
    ['tool.in=A,B', { where: { tool: { in: ['A', 'B'] } } }],
    ['status=200', { where: { status: { eq: 200 } } }],
    ['noise=true', { where: { noise: { eq: true } } }],
    ['code.exists=false', { where: { code: { exists: false } } }],
    ['ms.gte=1.5&ms.lt=20', { where: { and: [{ ms: { gte: 1.5 } }, { ms: { lt: 20 } }] } }],
    [
      'since=2026-01-01&until=2026-02-01',
      { where: { and: [{ opened: { gte: '2026-01-01' } }, { opened: { lt: '2026-02-01' } }] } },
    ],
    ['select=id,tool&order=-opened,tool', { select: ['id', 'tool'], order: ['-opened', 'tool'] }],
    ['limit=5&cursor=abc', { page: { limit: 5, cursor: 'abc' } }],
    ['by=tool', { want: { aggregate: { by: ['tool'], count: true } } }],
    ['by=tool&p95=ms&avg=ms', { want: { aggregate: { by: ['tool'], avg: ['ms'], p95: ['ms'] } } }],
    ['count=true&sum=ms', { want: { aggregate: { sum: ['ms'], count: true } } }],
    ['shape=first&max_bytes=9', { want: { shape: 'first', max_bytes: 9 } }],
    ['q={"where":{"tool":"A"},"page":{"limit":3}}', { where: { tool: 'A' }, page: { limit: 3 } }],
  ]
  for (const [query, wanted] of cases) {
    const given: Record<string, string | string[]> = {}
    for (const [name, value] of new URLSearchParams(query)) {
      const former = given[name]
      given[name] = former === undefined ? value : [former, value].flat()
    }
    t.strictSame(read(given), wanted, query)
  }
  t.strictSame(read({ format: 'csv' }), {
    select: Object.keys(VIEWS.exchanges.fields),
    want: { format: 'csv' },
  })
})

t.test('the span of a view is its own', async (t) => {
  t.strictSame(read({ since: '2026-01-01', until: '2026-02-01' }, 'tasks'), {
    where: { and: [{ last: { gte: '2026-01-01' } }, { opened: { lt: '2026-02-01' } }] },
  })
})

t.test('what does not fit is refused by the name of its parameter, all at once', async (t) => {
  t.strictSame(
    read({ toool: 'x', status: 'many', 'tool.like': 'x', since: 'yesterday', limit: '1e2' }),
    [
      'unknown_field toool',
      'unknown_field tool.like',
      'malformed_request status',
      'malformed_request since',
      'malformed_request limit',
    ],
  )
  const cases: readonly (readonly [Parameters, readonly string[]])[] = [
    [{ limit: ['1', '2'] }, ['malformed_request limit']],
    [{ limit: '0' }, ['malformed_request page.limit']],
    [{ count: 'no' }, ['malformed_request count']],
    [{ q: '{}', tool: 'x' }, ['malformed_request tool']],
    [{ q: '{' }, ['malformed_request q']],
    [{ q: '{"were":{}}' }, ['unknown_field were']],
    [{ 'code.exists': 'maybe' }, ['malformed_request where.code.exists']],
    [{ 'noise.glob': '*' }, ['malformed_request noise.glob']],
    [{ shape: 'all' }, ['malformed_request want.shape']],
    [{ by: 'tool', format: 'csv' }, ['malformed_request want.format']],
    [{ __proto__x: '1' }, ['unknown_field __proto__x']],
    [{ constructor: '1' }, ['unknown_field constructor']],
  ]
  for (const [given, problems] of cases) t.strictSame(read(given), problems, JSON.stringify(given))
})

t.test('no field has the name of another parameter', async (t) => {
  for (const [name, { fields }] of Object.entries(VIEWS))
    t.same(
      Object.keys(fields).filter((field) => [...PLAIN_PARAMETERS, 'min_seq'].includes(field)),
      [],
      name,
    )
})
