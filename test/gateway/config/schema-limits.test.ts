import t from 'tap'
import { LIMITS } from '../../../gateway/limits.ts'
import { goodConfig } from './_config.ts'
import { schemaKeys } from './_schema-keys.ts'

t.test('the schema has every limit with its default, and no other', async (t) => {
  const inSchema = schemaKeys().filter(({ key }) => key.startsWith('limits.'))
  const inTable = Object.entries(LIMITS).map(([name, row]) => [
    snakeCase(name),
    `\`${row.default}\``,
  ])
  t.strictSame(
    Object.fromEntries(inSchema.map((row) => [row.key.slice('limits.'.length), row.default])),
    Object.fromEntries(inTable),
  )
})

t.test('the schema says of a limit what the table says', async (t) => {
  for (const [name, row] of Object.entries(LIMITS)) {
    const key = schemaKeys().find((one) => one.key === `limits.${snakeCase(name)}`)
    t.ok(key?.meaning.includes(row.says), name)
  }
})

t.test('a limit that is set is the one in force', async (t) => {
  const { limits } = goodConfig('limits: { max_url_bytes: 4096 }')
  t.equal(limits.maxUrlBytes, 4096)
  t.equal(limits.idleMs, LIMITS.idleMs.default)
})

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
