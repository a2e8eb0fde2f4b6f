import fc from 'fast-check'
import t from 'tap'
import type { Tool } from '../../../catalog/index.ts'
import { listPage } from '../../../gateway/mcp/listing.ts'
import { OWN_TOOLS } from '../../../gateway/mcp/own-tables.ts'

const OWN = Object.keys(OWN_TOOLS)

/** Cursors that can be told from others. */
const cursors = {
  sign: (text: string) => `+${text}`,
  check: (cursor: string) => (cursor.startsWith('+') ? cursor.slice(1) : undefined),
}

const row = (name: string, method = 'GET'): Tool => ({
  name,
  summary: `what ${name} does`,
  scheme: 'https',
  host: 'api.test',
  method,
  path: '/x',
  args: { properties: { q: { in: 'query', type: 'string', required: true } } },
})

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => row(`ROW_${at}`))

function everyPage(rows: readonly Tool[], most: number) {
  const pages = []
  for (let cursor: string | undefined = undefined; ;) {
    const page = listPage({ rows, most, cursors }, cursor)
    if (page === undefined) throw new Error('a cursor of our own was refused')
    pages.push(page.tools)
    if (page.nextCursor === undefined) return pages
    cursor = page.nextCursor
  }
}

t.test('the pages together are the list, each tool once and in order', async (t) => {
  fc.assert(
    fc.property(fc.nat(400), fc.nat(400), (count, most) => {
      const rows = rowsOf(count)
      const pages = everyPage(rows, most)
      const names = pages.flat().map(({ name }) => name)
      const expected = [...OWN, ...rows.slice(0, most).map(({ name }) => name)]
      return (
        JSON.stringify(names) === JSON.stringify(expected) &&
        pages.every((page, at) => page.length === 100 || at === pages.length - 1)
      )
    }),
  )
  t.same(everyPage(rowsOf(95), 95).length, 1, 'a full page has none behind it')
  t.same(everyPage(rowsOf(96), 96).length, 2)
})

t.test('a cursor of somebody else is none', async (t) => {
  for (const cursor of ['x', '+other 5', ''])
    t.equal(listPage({ rows: [], most: 40, cursors }, cursor), undefined, cursor)
})

t.test('a tool stands in the list with its contract, and what its method says', async (t) => {
  const methods = { GET: [true], POST: [false], PUT: [false, true], DELETE: [false, true] }
  for (const [method, [readOnlyHint, destructiveHint]] of Object.entries(methods)) {
    const tools = listPage({ rows: [row('A', method)], most: 1, cursors }, undefined)?.tools
    t.match(tools?.at(-1), {
      name: 'A',
      description: 'what A does',
      inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
      annotations: { readOnlyHint },
    })
    t.equal(tools?.at(-1)?.annotations?.destructiveHint, destructiveHint, method)
  }
  for (const { name } of listPage({ rows: [], most: 0, cursors }, undefined)?.tools ?? [])
    t.match(name, /^[A-Za-z0-9_.-]{1,64}$/)
})

t.test('who has more tools than are listed is told so', async (t) => {
  const described = (most: number) =>
    listPage({ rows: rowsOf(50), most, cursors }, undefined)?.tools[0]?.description
  t.match(described(40), /10 of the 50 tools of this token are not in the list/)
  t.notMatch(described(50), /not in the list/)
})
