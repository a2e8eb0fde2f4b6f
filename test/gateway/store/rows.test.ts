import t from 'tap'
import { contractOf } from '../../../catalog/index.ts'
import { STORE_TOOLS, storeRoute, withStore } from '../../../gateway/store/rows.ts'

t.test('a method and a path have one row', async (t) => {
  const rows: readonly [string, string, string, object][] = [
    ['GET', '/api/store/a/b/c', 'STORE_GET', { bucket: 'a', key: 'b/c' }],
    ['HEAD', '/api/store/a/b', 'STORE_GET', { bucket: 'a', key: 'b' }],
    ['PUT', '/api/store/a/b%20c', 'STORE_PUT', { bucket: 'a', key: 'b c' }],
    ['DELETE', '/api/store/a/%C3%A9', 'STORE_DELETE', { bucket: 'a', key: 'é' }],
    ['GET', '/api/store/a/b/', 'STORE_GET', { bucket: 'a', key: 'b/' }],
    ['GET', '/api/store/a/b%2Fc', 'STORE_GET', { bucket: 'a', key: 'b/c' }],
    ['GET', '/api/store/a?prefix=b/', 'STORE_LIST', { bucket: 'a' }],
    ['HEAD', '/api/store/a/', 'STORE_LIST', { bucket: 'a' }],
  ]
  for (const [method, path, name, params] of rows) {
    const route = storeRoute(method, path)
    t.equal(route.tool.name, name, path)
    t.strictSame(route.params, params, path)
  }
})

t.test('what has no row is refused', async (t) => {
  for (const [method, path, code] of [
    ['POST', '/api/store/a/b', 'method_not_allowed'],
    ['get', '/api/store/a/b', 'method_not_allowed'],
    ['constructor', '/api/store/a/b', 'method_not_allowed'],
    ['PUT', '/api/store/a', 'method_not_allowed'],
    ['GET', '/api/store/', 'malformed_request'],
    ['GET', '/api/store//a', 'malformed_request'],
    ['GET', '/api/store/a//b', 'malformed_request'],
    ['GET', '/api/store/a/../b', 'malformed_request'],
    ['GET', '/api/store/a/b%5c..', 'malformed_request'],
    ['GET', '/api/store/a?prefix=b', 'malformed_request'],
    ['GET', '/api/store/a?prefix=b/&prefix=c', 'malformed_request'],
  ] as const)
    t.throws(() => storeRoute(method, path), { code }, `${method} ${path}`)
})

t.test('the rows stand in the directory behind those of the catalog', async (t) => {
  const row = { ...STORE_TOOLS.STORE_GET, name: 'OTHER' }
  let catalog = [row]
  const all = withStore(() => catalog)
  t.strictSame(
    all().map(({ name }) => name),
    ['OTHER', 'STORE_GET', 'STORE_PUT', 'STORE_DELETE', 'STORE_LIST'],
  )
  t.equal(all(), all(), 'one list for one catalog')
  catalog = []
  t.equal(all().length, 4, 'and another one for the next')
  t.match(contractOf(STORE_TOOLS.STORE_LIST), { name: 'STORE_LIST' })
})
