import t from 'tap'
import { compileProjection, type Want } from '../../../catalog/index.ts'
import { compiled, project } from './project.ts'
import { openCursors } from './wants.ts'

const rows = JSON.stringify(Array.from({ length: 5 }, (_, id) => ({ id, odd: id % 2 })))

t.test('cursors lead through all rows once, in order, with ties by position', async (t) => {
  const seen: number[] = []
  let page: Want['page'] = { limit: 2 }
  for (let turn = 0; turn < 3; turn++) {
    const { text, end } = project(rows, compiled({ order: ['-odd'], page }), { sizes: [9] })
    seen.push(...(JSON.parse(text) as { id: number }[]).map(({ id }) => id))
    if (turn === 2) t.equal(end.page?.next, null)
    else page = { limit: 2, cursor: end.page!.next! }
  }
  t.same(seen, [1, 3, 0, 2, 4])
})

t.test(
  'beside rows in an object the cursors are members, in place of the upstream’s',
  async (t) => {
    const document = `{"cursor":"theirs","items":${rows},"next":"theirs"}`
    const { text, end } = project(document, compiled({ page: { limit: 2 } }, { rows: 'items' }), {
      sizes: [7],
    })
    const result = JSON.parse(text) as Record<string, unknown>
    t.match(result, { items: [{ id: 0 }, { id: 1 }], cursor: /^c:0 /, next: /^c:2 / })
    t.notMatch(text, 'theirs')
    t.equal(end.page, undefined)
  },
)

t.test('a cursor that was not given for this query is refused', async (t) => {
  const first = project(rows, compiled({ page: { limit: 2 } })).end.page!.next!
  for (const [want, cursor] of [
    [{ order: ['id'] }, first],
    [{}, 'x'],
    [{}, ''],
  ] as const) {
    const result = compileProjection({ ...want, page: { cursor } }, { cursors: openCursors })
    t.match(result, { ok: false, problems: [{ code: 'malformed_request', path: 'page.cursor' }] })
  }
})
