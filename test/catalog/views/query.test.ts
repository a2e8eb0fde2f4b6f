import t from 'tap'
import { checkView, checkWant, VIEWS, type Cursors, type ViewName } from '../../../catalog/index.ts'

const CURSORS: Cursors = {
  sign: (text) => `~${text}`,
  check: (text) => (text.startsWith('~') ? text.slice(1) : undefined),
}

function check(view: ViewName, want: object) {
  const formed = checkWant(want)
  if (!formed.ok) return formed.problems.map(({ code, path }) => `${code} ${path}`)
  const checked = checkView(view, formed.want, CURSORS)
  return checked.ok ? checked.query : checked.problems.map(({ code, path }) => `${code} ${path}`)
}

t.test('values become what back ends keep', async (t) => {
  t.match(
    check('exchanges', {
      where: {
        opened: { gte: '2026-02-01', lt: '2026-02-01T12:00:00+02:00' },
        ms: { gt: 100.1, in: [0.0004] },
        noise: true,
        tool: { ne: 'a\0b\ud800' },
        or: [{ status: 200 }, { not: { code: { exists: true } } }],
      },
    }),
    {
      where: {
        opened: { gte: '2026-02-01T00:00:00.000Z', lt: '2026-02-01T10:00:00.000Z' },
        ms: { gt: 100_100, in: [0.4] },
        noise: { eq: 1 },
        tool: { ne: 'a\uFFFDb\uFFFD' },
        or: [{ status: { eq: 200 } }, { not: { code: { exists: true } } }],
      },
      limit: 100,
    },
  )
})

t.test('what a view does not have is refused, all of it, by its path', async (t) => {
  t.strictSame(
    check('exchanges', {
      where: { toool: 1, and: [{ status: 'x' }, { not: { ms: { glob: '*' } } }] },
      select: ['id', '-nope'],
      order: ['-opened', 'host.name'],
      page: { cursor: 'x' },
    }),
    [
      'unknown_field where.toool',
      'malformed_request where.and[0].status',
      'malformed_request where.and[1].not.ms.glob',
      'unknown_field order[1]',
      'unknown_field select[1]',
      'malformed_request page.cursor',
    ],
  )
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{ where: { tool: null } }, ['malformed_request where.tool']],
    [{ where: { tool: { in: ['a', 5] } } }, ['malformed_request where.tool.in[1]']],
    [{ where: { opened: 'yesterday' } }, ['malformed_request where.opened']],
    [{ where: { opened: '0000-01-01' } }, ['malformed_request where.opened']],
    [{ where: { noise: { gt: 1 } } }, ['malformed_request where.noise.gt']],
    [{ want: { shape: 'receipt' } }, ['not_supported want.shape']],
    [{ want: { aggregate: { p95: ['tool'] } } }, ['malformed_request want.aggregate.p95[0]']],
    [{ want: { aggregate: { max: ['noise'] } } }, ['malformed_request want.aggregate.max[0]']],
    [{ want: { aggregate: { sum: ['nope'] } } }, ['unknown_field want.aggregate.sum[0]']],
    [
      { want: { aggregate: { by: ['tool', 'host', 'task'] } } },
      ['malformed_request want.aggregate.by'],
    ],
    [{ want: { aggregate: { by: [] } } }, ['malformed_request want.aggregate.by']],
    [
      { want: { aggregate: { by: ['opened:fortnight'] } } },
      ['malformed_request want.aggregate.by[0]'],
    ],
    [{ want: { aggregate: { by: ['tool:day'] } } }, ['malformed_request want.aggregate.by[0]']],
    [
      { want: { aggregate: { by: ['opened:day:hour'] } } },
      ['malformed_request want.aggregate.by[0]'],
    ],
    [{ want: { aggregate: { by: ['nope'] } } }, ['unknown_field want.aggregate.by[0]']],
    [{ order: ['count'], want: { aggregate: { by: ['tool'] } } }, ['unknown_field order[0]']],
    [
      { order: ['tool'], want: { aggregate: { count: true } } },
      ['malformed_request order', 'unknown_field order[0]'],
    ],
    [{ select: ['id'], want: { shape: 'count' } }, ['malformed_request select']],
    [{ where: { __proto__: { eq: 1 }, constructor: 1 } }, ['unknown_field where.constructor']],
  ]
  for (const [want, problems] of cases)
    t.strictSame(check('exchanges', want), problems, JSON.stringify(want))
})

t.test('fields that are selected come in the order of the view', async (t) => {
  const names = Object.keys(VIEWS.tasks.fields)
  t.match(check('tasks', { select: ['seq', 'task'] }), { select: ['task', 'seq'] })
  t.match(check('tasks', { select: ['-seq'] }), { select: names.filter((name) => name !== 'seq') })
  t.match(check('tasks', { select: ['*', '-ms'] }), {
    select: names.filter((name) => name !== 'ms'),
  })
  t.match(check('tasks', {}), { select: names })
})

t.test('groups are ordered by what they have, and paged', async (t) => {
  t.match(
    check('exchanges', {
      order: ['-p95.ms', 'by.opened:day', 'count'],
      page: { limit: 5 },
      want: { aggregate: { by: ['opened:day'], p95: ['ms', 'ms'], count: true } },
    }),
    {
      kind: 'figures',
      limit: 5,
      by: [{ name: 'opened:day', field: 'opened', unit: 'day' }],
      figures: [{ name: 'p95', field: 'ms' }],
      order: [
        { field: 'p95.ms', descending: true },
        { field: 'by.opened:day', descending: false },
        { field: 'count', descending: false },
      ],
    },
  )
})
