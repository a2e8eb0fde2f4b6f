import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { default as t, type Test } from 'tap'
import { parseCatalogYaml } from '../../catalog/index.ts'
import { run } from './in-process.ts'

const PETS = {
  openapi: '3.1.0',
  servers: [{ url: 'https://pets.test/v1' }],
  paths: {
    '/pets': {
      get: { operationId: 'listPets', parameters: [{ name: 'limit', in: 'query', schema: {} }] },
      post: { operationId: 'createPet' },
    },
    '/pets/{id}': { get: { operationId: 'showPet' }, delete: { operationId: 'removePet' } },
    '/files/{name}{kind}': { get: { operationId: 'file' } },
    '/lost': { get: { operationId: 'lost', parameters: [{ $ref: '#/gone' }] } },
  },
}

const place = (t: Test) => t.testdir({ 'pets.json': JSON.stringify(PETS) })
const IMPORT = ['catalog', 'import', 'pets.json', '--prefix', 'PETS'] as const

t.test('a document becomes a file of rows that a configuration can name', async (t) => {
  const cwd = place(t)
  const ran = await run([...IMPORT], { cwd })
  t.equal(ran.exit, 0, ran.stderr)
  t.match(ran.stderr, /ok {2}4 rows written to .*catalog\/pets\.json/)
  t.match(ran.stdout, /^skipped 2\n {2}GET \/files\/\{name\}\{kind\}: path /m)
  t.match(ran.stdout, /GET \/lost: its reference \S*#\/gone leads nowhere/)
  const text = readFileSync(join(cwd, 'catalog/pets.json'), 'utf8')
  const { tools, problems } = parseCatalogYaml(text, 'pets.json')
  t.same(problems, [])
  t.same(
    tools.map(({ name }) => name),
    ['PETS_LIST_PETS', 'PETS_CREATE_PET', 'PETS_SHOW_PET', 'PETS_REMOVE_PET'],
  )
  const check = join(cwd, 'narrowgate.yaml')
  writeFileSync(check, 'catalog: [./catalog/pets.json]\n')
  t.equal((await run(['check'], { cwd })).exit, 0)
})

t.test('a second import says what changes, and a dry run changes nothing', async (t) => {
  const cwd = place(t)
  await run([...IMPORT], { cwd })
  const out = join(cwd, 'catalog/pets.json')
  const before = readFileSync(out, 'utf8')
  const { paths } = PETS
  const changed = {
    ...PETS,
    paths: {
      '/pets': { ...paths['/pets'], post: { operationId: 'createPet', summary: 'Other words' } },
      '/pets/{id}': { get: { operationId: 'showPet' }, put: { operationId: 'replacePet' } },
    },
  }
  writeFileSync(join(cwd, 'pets.json'), JSON.stringify(changed))
  const dry = await run([...IMPORT, '--dry-run', '--json'], { cwd })
  t.match(JSON.parse(dry.stdout), {
    rows: 4,
    added: ['PETS_REPLACE_PET'],
    changed: ['PETS_CREATE_PET'],
    removed: ['PETS_REMOVE_PET'],
  })
  t.equal(readFileSync(out, 'utf8'), before, 'nothing was written')
  await run([...IMPORT], { cwd })
  t.not(readFileSync(out, 'utf8'), before)
})

t.test('host, key and file are as they were said', async (t) => {
  const cwd = place(t)
  const more = ['--host', 'pets.corp.test:8443', '--key', 'pets-key', '--out', 'rows.json']
  const ran = await run([...IMPORT, ...more], { cwd })
  t.equal(ran.exit, 0, ran.stderr)
  const { tools } = parseCatalogYaml(readFileSync(join(cwd, 'rows.json'), 'utf8'), 'rows.json')
  for (const tool of tools) t.match(tool, { host: 'pets.corp.test', port: 8443, key: 'pets-key' })
})

t.test('what cannot be imported says why and what to do', async (t) => {
  const cwd = t.testdir({
    'broken.json': '{"openapi":',
    'other.json': '{"openapi":"4.0"}',
    'pets.json': JSON.stringify(PETS),
    'narrowgate.yaml': 'log: {}\n',
  })
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['gone.json', '--prefix', 'A'], 1, /gone\.json: it cannot be read \(ENOENT\)/],
    [['broken.json', '--prefix', 'A'], 1, /broken\.json: JSON: /],
    [['other.json', '--prefix', 'A'], 1, /openapi `4\.0`.*\n.*3\.0 or 3\.1/],
    [['pets.json', '--prefix', 'pets'], 2, /--prefix: got `pets`/],
    [['pets.json'], 2, /prefix/],
    [['pets.json', '--prefix', 'A', '--out', 'narrowgate.yaml'], 1, /narrowgate\.yaml: log/],
  ]
  for (const [args, exit, says] of cases) {
    const ran = await run(['catalog', 'import', ...args], { cwd })
    t.equal(ran.exit, exit, args.join(' '))
    t.match(ran.stderr, says)
    t.notMatch(ran.stderr, /\n {4}at /, 'no stack')
  }
})
