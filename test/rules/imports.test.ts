import { dirname, join } from 'node:path'
import t from 'tap'
import { SOURCES, textOf, typescriptIn } from './tree.ts'

/** Who may import whom, as AGENTS.md says; a folder always may import itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  policy: [],
  client: ['policy'],
  catalog: [],
  adapters: ['policy', 'catalog'],
  gateway: ['policy', 'catalog', 'adapters'],
  sidecar: ['policy', 'catalog', 'adapters', 'gateway'],
  cli: ['policy', 'catalog', 'adapters', 'gateway', 'sidecar'],
  bench: ['policy', 'client', 'catalog', 'adapters', 'gateway', 'sidecar', 'cli'],
  scripts: ['policy', 'catalog', 'adapters', 'gateway', 'sidecar', 'cli'],
  test: [
    'policy',
    'client',
    'catalog',
    'adapters',
    'gateway',
    'sidecar',
    'cli',
    'bench',
    'scripts',
  ],
}

/** The folders without an outside world. */
const PURE = new Set(['policy', 'catalog'])

/** What runs in browsers has a door of its own, which leaves the second engine out. */
const HOLDERS_DOOR = 'policy/offline.ts'

/** The ledger's threads load what they need of the catalog, and not the whole of it. */
const VIEWS_DOOR = 'catalog/views/index.ts'

/** Driver files may be named by those who compose a gateway. */
const COMPOSITION = new Set([
  'gateway/buckets.ts',
  'gateway/main.ts',
  'gateway/ledger.ts',
  'gateway/offline.ts',
  'gateway/stores.ts',
])

interface Import {
  readonly file: string
  /** The first folder of the file that imports. */
  readonly from: string
  /** A path from the root, or the name of a package. */
  readonly to: string
  readonly typesOnly: boolean
}

const STATEMENT = /^(?:import|export)\s+(?:([\w\s{},*$]*?)\sfrom\s+)?['"]([^'"]+)['"]/gm
const CALL = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
/** `type { A, B }`, or `{ type A, type B }`: nothing of it is left when it runs. */
const ERASED = /^type\s|^\{\s*(?:type\s[\w\s$]+,?\s*)+\}$/

function importsOf(file: string): readonly Import[] {
  const text = textOf(file)
  const from = file.split('/')[0] ?? ''
  const made = (specifier: string, typesOnly: boolean): Import => ({
    file,
    from,
    to: specifier.startsWith('.') ? join(dirname(file), specifier) : specifier,
    typesOnly,
  })
  return [
    ...[...text.matchAll(STATEMENT)].map(([, names = '', to = '']) => made(to, ERASED.test(names))),
    ...[...text.matchAll(CALL)].map(([, to = '']) => made(to, false)),
  ]
}

const files = typescriptIn(SOURCES)
const imports = files.flatMap(importsOf)
const folderOf = ({ to }: Import): string => to.split('/')[0] ?? ''
const isOurs = (each: Import): boolean =>
  Object.hasOwn(MAY_IMPORT, folderOf(each)) && each.to.endsWith('.ts')
const told = (guilty: readonly Import[]) => guilty.map(({ file, to }) => `${file} imports ${to}`)
/** What all others but tests and measurements have to keep to. */
const product = imports.filter(({ from }) => from !== 'test' && from !== 'bench')

await t.test('the sources were read', async (t) => {
  t.ok(files.length > 200, `${files.length} files`)
  t.ok(imports.length > 1000, `${imports.length} imports`)
  for (const folder of SOURCES)
    t.ok(
      imports.some(({ from }) => from === folder),
      folder,
    )
})

await t.test('each folder imports what the table gives it', async (t) => {
  const stranger = (each: Import) =>
    each.from !== folderOf(each) && MAY_IMPORT[each.from]?.includes(folderOf(each)) !== true
  t.same(told(imports.filter(isOurs).filter(stranger)), [])
})

await t.test('policy, catalog and client import nothing of Node', async (t) => {
  const ofNode = ({ from, to }: Import) =>
    (PURE.has(from) || from === 'client') && to.startsWith('node:')
  t.same(told(imports.filter(ofNode)), [])
})

await t.test('policy and catalog are entered by their index', async (t) => {
  const isDoor = ({ from, to }: Import) =>
    /^\w+\/index\.ts$/.test(to) ||
    (from === 'client' && to === HOLDERS_DOOR) ||
    (from === 'adapters' && to === VIEWS_DOOR)
  const inside = (each: Import) =>
    PURE.has(folderOf(each)) && each.from !== folderOf(each) && !isDoor(each)
  t.same(told(product.filter(isOurs).filter(inside)), [])
})

await t.test(
  'outside of adapters a driver is named where a gateway is composed alone',
  async (t) => {
    const driver = (each: Import) =>
      folderOf(each) === 'adapters' && each.from !== 'adapters' && !each.to.endsWith('/port.ts')
    t.same(told(product.filter(driver).filter(({ file }) => !COMPOSITION.has(file))), [])
  },
)

await t.test('a port gives types', async (t) => {
  const port = /^adapters\/[\w-]+\/port\.ts$/
  const values = product.filter(({ to, typesOnly }) => port.test(to) && !typesOnly)
  t.same(told(values), [])
})
