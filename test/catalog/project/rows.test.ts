import t from 'tap'
import { compiled, faultOf, project } from './project.ts'

const listed = '{"total":2,"items":[{"id":1,"name":"a"},{"id":2,"name":"b"}],"next":"u"}'
const result = (document: string, ...how: Parameters<typeof compiled>): unknown =>
  JSON.parse(project(document, compiled(...how), { sizes: [4] }).text)

t.test('the root list is the rows', async (t) => {
  t.same(result('[{"a":1,"b":2},{"a":3}]', { select: ['a'], where: { a: { gt: 1 } } }), [{ a: 3 }])
})

t.test('else the list that the row names, and what is around it stays', async (t) => {
  t.same(result(listed, { select: ['id'], where: { name: 'b' } }, { rows: 'items' }), {
    total: 2,
    items: [{ id: 2 }],
    next: 'u',
  })
})

t.test('else the list that all x[] selectors share', async (t) => {
  t.same(result(listed, { select: ['items[].id'], where: { id: 2 } }), { items: [{ id: 2 }] })
  t.same(result(listed, { select: ['items[].id', 'total'], where: { 'items[].name': 'a' } }), {
    total: 2,
    items: [{ id: 1 }],
  })
  t.same(result(listed, { select: ['-items[].id', '-next'] }), {
    total: 2,
    items: [{ name: 'a' }, { name: 'b' }],
  })
})

t.test('else select applies to the root, and what needs rows is refused', async (t) => {
  t.same(result('{"id":1,"user":{"login":"x","b":1},"c":2}', { select: ['id', 'user.login'] }), {
    id: 1,
    user: { login: 'x' },
  })
  t.same(result('{"message":"no"}', { select: ['message'] }, { rows: 'items' }), { message: 'no' })
  for (const want of [
    { where: { a: 1 } },
    { order: ['a'] },
    { page: { limit: 1 } },
    { want: { aggregate: { count: true } } },
  ]) {
    t.match(
      faultOf(() => result('{"a":1}', want)),
      { kind: 'no_rows', code: 'no_rows' },
    )
    t.match(
      faultOf(() => result('{"a":1', want)),
      { kind: 'unexpected_end' },
      'broken JSON is said first',
    )
  }
})

t.test('a missing path, or one of another kind, is left out', async (t) => {
  t.same(result('[{"user":null},{"user":5,"id":1},{},7]', { select: ['id', 'user.login'] }), [
    {},
    { id: 1 },
    {},
  ])
})

t.test('only is a ceiling, also for filter, order and figures', async (t) => {
  const only = ['items[].id']
  t.same(result(listed, {}, { only }), { items: [{ id: 1 }, { id: 2 }] })
  t.same(result(listed, { select: ['items[].*', 'total'] }, { only }), {
    items: [{ id: 1 }, { id: 2 }],
  })
  t.same(
    result(listed, { where: { name: 'a' } }, { only }),
    { items: [] },
    'a hidden member matches nothing',
  )
  t.same(result(listed, { want: { aggregate: { max: ['name'], sum: ['id'] } } }, { only }), {
    sum: { id: 3 },
    max: { name: null },
  })
  t.same(
    result(listed, {}, { rows: 'items', only: ['id'] }),
    { items: [{ id: 1 }, { id: 2 }] },
    'what is around is hidden too',
  )
  t.same(result('[{"a":{"b":1,"c":2}}]', { where: { 'a.c': 2 } }, { only: ['a.b'] }), [])
})

t.test('the last copy of a member counts', async (t) => {
  t.same(result('[{"a":1,"a":2}]', { select: ['a'], where: { a: 2 } }), [{ a: 2 }])
  t.same(result('[{"u":{"id":1},"b":1,"u":5}]', { select: ['u.id', 'b'] }), [{ b: 1 }])
  t.same(
    result('[{"a":1,"u":{"b":1},"a":2,"u":{}}]', { where: { or: [{ a: 1 }, { 'u.b': 1 }] } }),
    [],
  )
  t.match(
    faultOf(() => result('{"items":[1],"items":2}', {}, { rows: 'items' })),
    {
      kind: 'duplicate_member',
    },
  )
})

t.test('rows go out as they come, and only orders and pages are held', async (t) => {
  const document = JSON.stringify(
    Array.from({ length: 3000 }, (_, id) => ({ id, text: 'x'.repeat(50) })),
  )
  const { pieces, end } = project(document, compiled({ select: ['id'] }), {
    sizes: [1000],
    maxBytes: 2000,
  })
  t.ok(pieces.length > 100)
  t.same(JSON.parse(pieces.join('')).length, 3000)
  t.match(end, { before: document.length, after: pieces.join('').length })
  const ordered = compiled({ order: ['-id'] })
  t.match(
    faultOf(() => project(document, ordered, { sizes: [1000], maxBytes: 2000 })),
    {
      kind: 'too_large',
      code: 'too_large',
    },
  )
  t.match(
    faultOf(() => project(document, compiled({ want: { max_bytes: 100 } }))),
    { kind: 'too_large' },
  )
})
