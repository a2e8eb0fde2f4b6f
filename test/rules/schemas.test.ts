import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { filesBelow, ROOT, runPlain, textOf } from './tree.ts'

/** What the docs call published; docs/formats.md names each. */
const PUBLISHED = [
  'catalog/article.schema.json',
  'catalog/catalog.schema.json',
  'catalog/envelope.schema.json',
  'gateway/config/narrowgate.schema.json',
  'gateway/owner/schemas/event.schema.json',
  'gateway/owner/schemas/receipt.schema.json',
  'gateway/replay/fixtures.schema.json',
]

/** Tests and benches, what `narrowgate serve` makes, and what the compiler remembers. */
const NOT_FOR_USERS =
  /^(dist\/)?(test|bench|scripts|state|\.narrowgate)\/|\.(key|pem|ndlog|db|tsbuildinfo)$/

await t.test('every schema in the tree is published', async (t) => {
  t.same(
    filesBelow()
      .filter((path) => path.endsWith('.schema.json'))
      .toSorted(),
    PUBLISHED,
  )
  for (const path of PUBLISHED) t.ok(textOf('docs/formats.md').includes(`(../${path})`), path)
})

await t.test('each is valid JSON Schema', async (t) => {
  for (const path of PUBLISHED) {
    const schema = JSON.parse(textOf(path))
    t.match(schema.$schema, 'https://json-schema.org/draft/2020-12/schema', path)
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    t.ok(ajv.validateSchema(schema), `${path}: ${ajv.errorsText()}`)
    t.doesNotThrow(() => ajv.compile(schema), path)
  }
})

await t.test(
  'the package holds the schemas and the program, and neither tests nor state',
  async (t) => {
    const said = runPlain(['npm', 'pack', '--dry-run', '--json'], { cwd: ROOT }).stdout
    const [pack] = JSON.parse(said) as readonly [
      { readonly files: readonly { readonly path: string }[] },
    ]
    const paths = pack.files.map(({ path }) => path)
    for (const path of [...PUBLISHED, 'cli/main.js', 'gateway/pages/client/main.js'])
      t.ok(paths.includes(`dist/${path}`), path)
    const strangers = paths
      .filter((path) => NOT_FOR_USERS.test(path))
      .map((path) => path.split('/', 2).join('/'))
    t.same([...new Set(strangers)], [], 'package.json: files')
  },
)
