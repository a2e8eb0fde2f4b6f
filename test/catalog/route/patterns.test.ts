import t from 'tap'
import {
  createRouter,
  parseCatalogYaml,
  requestOfCall,
  routeClashes,
  type Tool,
} from '../../../catalog/index.ts'
import { rowWith } from '../request/rig.ts'

const routes = (...paths: readonly string[]) => {
  const router = createRouter(paths.map((path) => rowWith({ name: path, path })))
  const origin = { scheme: 'https', host: 'api.example.com', port: 443 } as const
  return (path: string) => {
    const match = router.match('GET', origin, path)
    return match && [match.tool.name, match.params]
  }
}

t.test('a parameter may be a part of a segment', async (t) => {
  const at = routes(
    '/{owner}.git',
    '/v1/{id}',
    '/v1/{id}:cancel',
    '/v1/{id}:cancel/log',
    '/v1/job-{id}:cancel',
    '/v1/run:cancel',
    '/map/{z}/{x},{y}.png',
    '/compare/{base}...{head}',
    '/compare/{one}',
  )
  const cases: Readonly<Record<string, readonly unknown[] | undefined>> = {
    '/a.git': ['/{owner}.git', { owner: 'a' }],
    '/a%2Fb.git': ['/{owner}.git', { owner: 'a/b' }],
    '/a.git.git': ['/{owner}.git', { owner: 'a.git' }],
    '/.git': undefined,
    '/agit': undefined,
    '/v1/x': ['/v1/{id}', { id: 'x' }],
    '/v1/x:cancel': ['/v1/{id}:cancel', { id: 'x' }],
    '/v1/x%3Acancel': ['/v1/{id}:cancel', { id: 'x' }],
    '/v1/x:y:cancel': ['/v1/{id}:cancel', { id: 'x:y' }],
    '/v1/:cancel': ['/v1/{id}', { id: ':cancel' }],
    '/v1/x:cancel/log': ['/v1/{id}:cancel/log', { id: 'x' }],
    '/v1/job-1:cancel': ['/v1/job-{id}:cancel', { id: '1' }],
    '/v1/job-1:cancel/log': ['/v1/{id}:cancel/log', { id: 'job-1' }],
    '/v1/run:cancel': ['/v1/run:cancel', {}],
    '/map/1/2,3.png': ['/map/{z}/{x},{y}.png', { z: '1', x: '2', y: '3' }],
    '/map/1/2.png': undefined,
    '/map/1/,3.png': undefined,
    '/map/1/2,.png': undefined,
    '/compare/a...b': ['/compare/{base}...{head}', { base: 'a', head: 'b' }],
    '/compare/a..b': ['/compare/{one}', { one: 'a..b' }],
  }
  for (const [path, found] of Object.entries(cases)) t.same(at(path), found, path)
})

t.test('what can be parted in several ways is no row’s, and is not written', async (t) => {
  const at = routes('/{a}-{b}', '/{one}')
  t.same(at('/x-y'), ['/{a}-{b}', { a: 'x', b: 'y' }])
  t.equal(at('/x-y-z'), undefined, 'not even that of the more general one')
  t.equal(routes('/{a}...{b}')('/x....y'), undefined)
  const tool = rowWith({
    path: '/{a}-{b}.txt',
    args: { properties: { a: { in: 'path', type: 'string' }, b: { in: 'path', type: 'string' } } },
  })
  t.match(requestOfCall(tool, { a: 'x.txt', b: 'y' }), { request: { path: '/x.txt-y.txt' } })
  t.match(requestOfCall(tool, { a: 'x-', b: 'y' }), {
    problems: [{ path: 'args.a', repair: 'write the path arguments without -' }],
  })
})

const problemsOf = (...paths: readonly string[]) => {
  const tools = paths.map((path, at) => ({ ...rowWith({ name: `R${at}`, path }), args: {} }))
  return parseCatalogYaml(JSON.stringify({ tools }), 'c').problems
}

t.test('rows that a request can be meant for alike are told at load time', async (t) => {
  const clear: readonly (readonly string[])[] = [
    ['/{a}.json', '/{a}', '/file.json', '/file-{a}.json'],
    ['/{a}:cancel', '/{a}:resume', '/{a}:{verb}'],
    ['/{a}.json/x', '/file-{b}/y'],
    ['/{a}-{b}.json', '/{a}-{b}'],
    ['/{a}-{b}.json', '/{a}.json'],
    ['/v{a}', '/w{a}.json'],
    ['/{a}.json/{x}', '/file-{b}/y/z'],
  ]
  for (const paths of clear) t.same(problemsOf(...paths), [], paths.join(' '))
  const unclear: readonly (readonly [string, string])[] = [
    ['/{a}.json', '/file-{b}'],
    ['/{a}.json/{x}', '/file-{b}/y'],
    ['/{a}.json/{x}', '/file-{b}/y{z}'],
    ['/{a}.json/y', '/file-{b}/{x}'],
    ['/{a}-{b}', '/{a}:{b}'],
    ['/{a}-{b}', '/{a}.json'],
    ['/{a}-{b}', '/{x}-{y}'],
    ['/{a}:x-{b}', '/{a}-y:{b}'],
  ]
  for (const [one, other] of unclear) {
    t.match(
      problemsOf(one, '/other', other),
      [{ path: 'c: tools[2].path', repair: `make it differ from the route of R0, ${one}` }],
      `${one} ${other}`,
    )
  }
  t.match(problemsOf('/{a}{b}'), [{ repair: 'write a text between two parameters of a segment' }])
  t.match(problemsOf('/{a}{b}c'), [{ path: 'c: tools[0].path' }])
  t.match(problemsOf('/{a'), [{ path: 'c: tools[0].path' }])
  t.match(problemsOf('/{a}-{a}'), [{ repair: 'name each parameter once' }])
})

t.test('a hundred thousand rows are each found, and told apart', async (t) => {
  const kinds: readonly ((n: number) => readonly [path: string, asked: string])[] = [
    (n) => [`/r${n}/{id}`, `/r${n}/x`],
    (n) => [`/files/{id}.kind${n}`, `/files/x.kind${n}`],
    (n) => [`/jobs/j${n}-{id}:run`, `/jobs/j${n}-x:run`],
    (n) => [`/a/{one}/b/{id}/c${n}`, `/a/y/b/x/c${n}`],
  ]
  const asked = new Map<string, string>()
  const tools: Tool[] = []
  for (let n = 0; n < 25_000; n++) {
    for (const [kind, make] of kinds.entries()) {
      const [path, request] = make(n)
      const name = `ROW_${kind}_${n}`
      tools.push(rowWith({ name, path }))
      asked.set(request, name)
    }
  }
  t.same(routeClashes(tools), [])
  const router = createRouter(tools)
  const origin = { scheme: 'https', host: 'api.example.com', port: 443 } as const
  const wrong = [...asked].filter(([path, name]) => {
    const match = router.match('GET', origin, path)
    return match?.tool.name !== name || match.params['id'] !== 'x'
  })
  t.equal(asked.size, 100_000)
  t.same(wrong, [])
  t.equal(router.match('GET', origin, '/files/x.kind25000'), undefined)
  t.equal(router.match('GET', origin, '/jobs/j1-:run'), undefined)
})
