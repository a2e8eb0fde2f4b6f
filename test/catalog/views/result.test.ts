import t from 'tap'
import {
  checkView,
  viewResult,
  type Cursors,
  type KeptRow,
  type ViewName,
  type Want,
} from '../../../catalog/index.ts'

const CURSORS: Cursors = {
  sign: (text) => `~${text}`,
  check: (text) => (text.startsWith('~') ? text.slice(1) : undefined),
}

function queryOf(view: ViewName, want: Want) {
  const checked = checkView(view, want, CURSORS)
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
  return checked.query
}

function shown(view: ViewName, want: Want, rows: readonly KeptRow[], more = false) {
  return viewResult(queryOf(view, want), { rows, more }, CURSORS)
}

t.test('rows show milliseconds and flags, and leave out what they do not have', async (t) => {
  const rows = [
    {
      seq: 3,
      tool: 'A',
      ms: 1500,
      noise: 1,
      shadowed: 0,
      code: null,
      opened: '2026-01-01T00:00:00.000Z',
    },
  ]
  t.match(shown('exchanges', { select: ['tool', 'ms', 'noise', 'shadowed', 'code'] }, rows), {
    kind: 'rows',
    rows: [{ tool: 'A', ms: 1.5, noise: true, shadowed: false }],
    next: null,
  })
  const result = shown('exchanges', { select: ['code'] }, rows)
  t.strictSame(result.kind === 'rows' && result.rows, [{}])
})

t.test('figures have the shape of the grammar', async (t) => {
  const aggregate = { count: true, p95: ['ms'], max: ['opened', 'status'], by: ['tool', 'noise'] }
  const rows = [
    {
      'by.tool': null,
      'by.noise': 1,
      count: 2,
      'p95.ms': 1500,
      'max.opened': 'x',
      'max.status': 200,
      seq: 9,
    },
  ]
  const { cursor: _cursor, ...groups } = shown(
    'exchanges',
    { want: { aggregate } },
    rows,
  ) as Record<string, unknown>
  t.strictSame(groups, {
    kind: 'groups',
    figures: [
      {
        by: { tool: null, noise: true },
        count: 2,
        max: { opened: 'x', status: 200 },
        p95: { ms: 1.5 },
      },
    ],
    next: null,
  })
  t.strictSame(shown('exchanges', { want: { shape: 'count' } }, [{ count: 0, seq: null }]), {
    kind: 'figures',
    figures: { count: 0 },
  })
})

t.test('a cursor goes on behind the last row, under this very question', async (t) => {
  const want: Want = { where: { tool: 'A' }, order: ['-ms', 'task'] }
  const first = shown('exchanges', want, [{ seq: 7, ms: 1500, task: null }], true)
  if (first.kind !== 'rows' || first.next === null) return t.fail('there is a next page')
  const next = { ...want, page: { cursor: first.next } }
  t.match(queryOf('exchanges', next), { after: { keys: [1500, null], seq: 7 } })
  t.match(
    queryOf('exchanges', { ...next, page: { cursor: first.next, limit: 3 }, select: ['id'] }),
    {
      after: { seq: 7 },
    },
  )
  t.equal(
    queryOf('exchanges', { ...want, page: { cursor: first.cursor } }).after,
    undefined,
    'the beginning',
  )
  const again = shown('exchanges', next, [{ seq: 2, ms: 1, task: 'x' }], false)
  t.match(
    again,
    { cursor: first.next, next: null },
    'the cursor of a page is the one that it was asked with',
  )
  const others: readonly (readonly [ViewName, Want])[] = [
    ['turns', next],
    ['exchanges', { ...next, where: { tool: 'B' } }],
    ['exchanges', { ...next, order: ['-ms'] }],
    [
      'exchanges',
      { page: { cursor: first.next }, want: { aggregate: { by: ['tool'], count: true } } },
    ],
    ['exchanges', { ...want, page: { cursor: '~10 abcdef01' } }],
  ]
  for (const [view, other] of others)
    t.match(
      checkView(view, other, CURSORS),
      { ok: false, problems: [{ path: 'page.cursor' }] },
      JSON.stringify(other),
    )
})
