import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { parseConfig } from '../../../gateway/config/index.ts'
import { schema } from './_schema-keys.ts'

const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')

t.test('the schema is valid draft 2020-12', async (t) => {
  t.ok(new Ajv2020({ strict: true }).validateSchema(schema))
})

t.test('every example and default of the schema fits its own key', async (t) => {
  const ajv = new Ajv2020({ strict: true })
  ajv.addSchema(schema, 'narrowgate')
  for (const [pointer, node] of nodesOf(schema, '#')) {
    const validate = ajv.getSchema(`narrowgate${pointer}`)
    for (const value of [...(node.examples ?? []), ...('default' in node ? [node.default] : [])]) {
      t.ok(validate?.(value), `${pointer} ${JSON.stringify(value)}`)
    }
  }
})

t.test('the YAML blocks of the page are whole configurations', async (t) => {
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
  t.ok(blocks.length > 0)
  for (const block of blocks) {
    const loaded = parseConfig(block, { base: '/', env: { HOME: '/h' } })
    t.strictSame(loaded.ok ? [] : loaded.problems, [])
  }
})

interface Node {
  readonly examples?: readonly unknown[]
  readonly default?: unknown
}

function nodesOf(value: unknown, pointer: string): readonly (readonly [string, Node])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const inner = Object.entries(value)
    .filter(([name]) => name !== 'examples' && name !== 'default')
    .flatMap(([name, child]) => nodesOf(child, `${pointer}/${name}`))
  return 'examples' in value || 'default' in value ? [[pointer, value as Node], ...inner] : inner
}
