import t from 'tap'
import { genericTool, waysOf, type Tool, type WayGateway } from '../../../catalog/index.ts'

const GATEWAY: WayGateway = {
  base: 'http://gate.test:3128',
  token: 'g1.a.b',
  console: 'http://127.0.0.1:3129',
  sshHost: 'ops@gate.test',
  closed: [],
}
const ROW: Tool = {
  name: 'ROW',
  summary: 'a row',
  scheme: 'https',
  host: 'api.test',
  method: 'GET',
  path: '/row/{id}',
  args: {
    properties: {
      page: { in: 'query', type: 'integer' },
      kind: { in: 'query', type: 'string', enum: ['red', 'blue'] },
      id: { in: 'path', type: 'string', required: true },
      tags: { in: 'query', type: 'array', enum: ['a', 'b'] },
      any: { in: 'query' },
    },
  },
}

type Options = Parameters<typeof waysOf>[1]

function one(tool: Tool, way: NonNullable<Options['names']>[number], more: Partial<Options> = {}) {
  const [found] = waysOf(tool, { gateway: GATEWAY, envelope: {}, names: [way], ...more })
  return found!
}

const textOf = (...asked: Parameters<typeof one>) => {
  const way = one(...asked)
  return 'text' in way ? way.text : way.unavailable
}

t.test('examples are the same each time, those first that are needed', async (t) => {
  const expected =
    'http://gate.test:3128/g/g1.a.b/run/ROW?id=text&page=1&kind=red&tags=%5B%22a%22%5D&any=text'
  t.equal(textOf(ROW, 'url'), expected)
  t.equal(textOf(ROW, 'url'), expected)
  t.match(textOf(genericTool('GET'), 'line'), 'HTTP_GET url="https://example.com/"')
})

t.test('values in a path stand in the order of the row, up to the first that cannot', async (t) => {
  const named = (args: object) =>
    textOf(ROW, 'named', { args: { ...args } }).slice('http://gate.test:3128/g/g1.a.b'.length)
  t.equal(named({ id: 'x', kind: 'b/c', page: 2 }), '/run/ROW/2/b%2Fc/x')
  t.equal(named({ id: 'x', page: 2 }), '/run/ROW/2?id=x')
  for (const kind of ['', '.', '..'])
    t.equal(named({ page: 2, kind, id: 'x' }), `/run/ROW/2?kind=${kind}&id=x`)
})

t.test('a value that texts would change is none for ways of texts', async (t) => {
  for (const args of [{ id: 5 }, { any: 5 }, { any: ['x'] }, { id: null }, { id: '\ud800' }])
    for (const way of ['url', 'named', 'line', 'tag', 'cli', 'ssh', 'shell', 'sse'] as const)
      t.match(
        one(ROW, way, { args }),
        { unavailable: /\S/, set: /\S/ },
        `${way} ${writtenArgs(args)}`,
      )
  t.match(one(ROW, 'cli', { args: { id: 'a\0b' } }), { unavailable: /NUL/ })
  t.match(one(ROW, 'tag', { args: { tool: 'x' } }), { unavailable: /\S/ })
})

const writtenArgs = (args: object) => JSON.stringify(args)

t.test('what cannot be called by its name has no texts, and says why', async (t) => {
  t.match(one({ ...ROW, host: '*.api.test' }, 'curl'), { unavailable: /many hosts/ })
  t.match(one({ ...ROW, method: 'PUT', opaque: true }, 'js'), { unavailable: /bytes/ })
  t.match(one({ ...ROW, method: 'POST' }, 'sse'), { unavailable: /again by itself/ })
  t.match(one(ROW, 'curl', { gateway: undefined }), { set: /owner.send.base/ })
  for (const closed of ['graphql', 'webhook'] as const) {
    const gateway = { ...GATEWAY, closed: [closed] }
    t.match(one(ROW, closed, { gateway }), { set: `\`doors: {${closed}: true}\`` })
  }
})

t.test('an address or a token with signs of a shell is refused', async (t) => {
  for (const base of ['http://a"b', 'http://a$(b)', 'http://a b', 'ftp://a', 'http://a/`'])
    t.throws(() => one(ROW, 'curl', { gateway: { ...GATEWAY, base } }), TypeError, base)
  t.throws(() => one(ROW, 'curl', { gateway: { ...GATEWAY, token: 'a"b' } }), TypeError)
  t.match(
    textOf(ROW, 'curl', { gateway: { ...GATEWAY, base: 'https://a.test/x' } }),
    'https://a.test/x/g/run',
  )
})
