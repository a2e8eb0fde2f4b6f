import t from 'tap'
import { createRouter, genericTool, type Tool } from '../../../catalog/index.ts'

const tool = (name: string, host: string, path: string, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: '',
  scheme: 'https',
  host,
  method: 'GET',
  path,
  args: { properties: {} },
  ...more,
})
const router = createRouter([
  tool('PARAM', 'api.example', '/repos/{owner}/{repo}'),
  tool('LITERAL', 'api.example', '/repos/me/{repo}'),
  tool('DEEP', 'api.example', '/repos/{owner}/me/x'),
  tool('WIDE', '*.example', '/repos/{owner}/{repo}'),
  tool('WIDER', '*.a.example', '/w'),
  tool('ROOT', 'api.example', '/'),
  tool('PORT', 'api.example', '/repos/{owner}/{repo}', { scheme: 'http', port: 8080 }),
])
const origin = { scheme: 'https', host: 'api.example', port: 443 } as const
const name = (path: string, host: string = origin.host) =>
  router.match('GET', { ...origin, host }, path)?.tool.name

t.test('a literal goes before a parameter, and an exact host before a suffix', async (t) => {
  t.equal(name('/repos/me/x'), 'LITERAL')
  t.equal(name('/repos/you/x'), 'PARAM')
  t.equal(name('/repos/me/me/x'), 'DEEP', 'what a literal does not lead to, a parameter may')
  t.equal(name('/repos/you/x', 'other.example'), 'WIDE')
  t.equal(name('/w', 'b.a.example'), 'WIDER')
  t.equal(name('/'), 'ROOT')
})

t.test('what no row describes matches none', async (t) => {
  for (const path of [
    '/repos/you',
    '/repos/you/x/',
    '/repos//x',
    '/repos/you/x/y',
    '/repos/../repos/a/b',
  ])
    t.equal(name(path), undefined, path)
  t.equal(name('/repos/you/x', 'example'), undefined, 'a suffix is below the name')
  t.equal(router.match('HEAD', origin, '/'), undefined)
  t.equal(router.match('GET', { ...origin, port: 8443 }, '/'), undefined)
  t.equal(
    router.match('GET', { ...origin, scheme: 'http', port: 8080 }, '/repos/a/b')?.tool.name,
    'PORT',
  )
})

t.test('parameters are decoded, and an encoded separator stays inside its segment', async (t) => {
  t.strictSame(router.match('GET', origin, '/repos/a%2Fb/%E2%82%AC?x=1')?.params, {
    owner: 'a/b',
    repo: '€',
  })
  t.equal(name('/%72epos/m%65/x'), 'LITERAL', 'a literal may be encoded')
})

t.test('a generic row is named after its method', async (t) => {
  t.match(genericTool('GET'), { name: 'HTTP_GET', generic: true })
  t.equal(genericTool('m-search').name, 'HTTP_M_SEARCH')
})
