import { readFileSync } from 'node:fs'
import t from 'tap'
import { schemaKeys, type SchemaKey } from './_schema-keys.ts'

const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')

t.test('the page and the schema hold the same keys, with the same words', async (t) => {
  const documented = documentedKeys(page)
  const known = schemaKeys()
  t.strictSame(documented.map(({ key }) => key).sort(), known.map(({ key }) => key).sort())
  for (const row of documented)
    t.strictSame(
      row,
      known.find(({ key }) => key === row.key),
    )
})

t.test('every key says what it means, and every value has an example', async (t) => {
  for (const { key, meaning, type, example } of schemaKeys()) {
    t.ok(meaning.length > 10, key)
    const holdsOthers =
      type === 'mapping' || type === 'proxy' || /^list of (upstream|mount|key|model)$/.test(type)
    t.equal(example !== '–', !holdsOthers, key)
  }
})

function documentedKeys(text: string): readonly SchemaKey[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    const [, key = '', type = '', byDefault = '', meaning = '', example = ''] = cells
    return { key: key.replaceAll('`', ''), type, default: byDefault, meaning, example }
  })
}
