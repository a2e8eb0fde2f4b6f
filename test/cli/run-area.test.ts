import t from 'tap'
import { narrowgate } from './process.ts'

const CATALOG = `
tools:
  - name: FILES_READ
    summary: reads a file
    host: files.test
    method: GET
    path: /read
    args: { properties: { path: { in: query } } }
`

t.test('run asks for an area where a granted row takes paths', async (t) => {
  const cwd = t.testdir({
    'narrowgate.yaml': 'catalog: [./catalog.yaml]\n',
    'catalog.yaml': CATALOG,
  })
  const run = (...args: readonly string[]) =>
    narrowgate(['run', '--state', 'state', ...args, '--', 'true'], { cwd })
  const refused = await run('--tools', 'FILES_*')
  t.equal(refused.exit, 2, refused.stderr)
  t.match(refused.stderr, /`FILES_READ`.*--area/)
  const given = await run('--tools', 'FILES_*', '--area', '/src')
  t.equal(given.exit, 0, given.stderr)
  t.match(given.stderr, 'area = /src')
})
