import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { resolveUpstream } from '../../../gateway/config/index.ts'
import { badConfig, goodConfig, tempFolder } from './_config.ts'

const row = (name: string, extra = ''): string => `
  - name: ${name}
    summary: lists things
    host: api.test
    method: GET
    path: /${name.toLowerCase()}
${extra}`

function catalogFolder(...files: readonly string[]): string {
  const folder = tempFolder()
  for (const [i, text] of files.entries()) writeFileSync(join(folder, `${i}.yaml`), text)
  return folder
}

t.test('two files whose routes cannot be told apart are refused', async (t) => {
  const at = (name: string, path: string) => row(name).replace(`/${name.toLowerCase()}`, path)
  const folder = catalogFolder(
    `tools:${at('A_LIST', '/{a}.json')}`,
    `tools:${at('B_LIST', '/b')}${at('B_GET', '/file-{b}')}`,
    `tools:${at('B_SAME', '/{x}.json')}`,
  )
  t.match(badConfig('catalog: [./0.yaml, ./1.yaml, ./2.yaml]', folder), [
    { path: 'catalog[1].B_GET.path', repair: /the route of A_LIST, \/\{a\}\.json/ },
    { path: 'catalog[2].B_SAME.path', got: '`GET /{x}.json`' },
  ])
})

t.test('rows of all files are read, and their hosts count as named', async (t) => {
  const folder = catalogFolder(`tools:${row('A_LIST')}`, `tools:${row('B_LIST')}`)
  const config = goodConfig('unknown_hosts: refuse\ncatalog: [./0.yaml, ./1.yaml]', folder)
  t.strictSame(
    config.catalog.map((tool) => tool.name),
    ['A_LIST', 'B_LIST'],
  )
  const origin = { scheme: 'https', host: 'api.test', port: 443 } as const
  t.equal(resolveUpstream({ config, secrets: new Map() }, origin)?.name, 'api.test')
})

t.test('a key must exist and be bound to the host of the row', async (t) => {
  const folder = catalogFolder(
    `tools:${row('A_LIST', '    key: absent')}${row('B_LIST', '    key: elsewhere')}${row('C_LIST', '    key: here')}`,
  )
  const problems = badConfig(
    `
catalog: [./0.yaml]
upstreams:
  - { name: a, hosts: [other.test], keys: [{ name: elsewhere, secret: { env: A }, header: x-a }] }
  - { name: b, hosts: ["*.test"], keys: [{ name: here, secret: { env: A }, header: x-a }] }
`,
    folder,
  )
  t.strictSame(
    problems.map((problem) => problem.path),
    ['catalog[0].A_LIST.key', 'catalog[0].B_LIST.key'],
  )
})

t.test('one name in two files is told', async (t) => {
  const folder = catalogFolder(`tools:${row('A_LIST')}`, `tools:${row('A_LIST')}`)
  const problems = badConfig('catalog: [./0.yaml, ./1.yaml]', folder)
  t.strictSame(
    problems.map((problem) => problem.path),
    ['catalog[1].A_LIST'],
  )
})

t.test('problems inside a file name the file', async (t) => {
  const problems = badConfig('catalog: [./0.yaml]', catalogFolder(`tools:${row('not-a-name')}`))
  t.ok(problems.length > 0)
  t.ok(problems.every((problem) => problem.path.includes('0.yaml')))
})
