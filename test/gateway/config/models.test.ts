import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { placeOf } from '../../../gateway/models/place.ts'
import { badConfig, goodConfig, tempFolder } from './_config.ts'

const URL_OF = 'https://api.test/v1/chat/completions'
const entry = (more: string) => `{ name: m, tool: CHAT, dialect: openai, ${more} }`
const table = (...entries: readonly string[]) =>
  `models: { table: [${entries.map(entry).join(', ')}] }`

const ROWS = `tools:
  - { name: CALL, summary: s, host: api.test, method: POST, path: /v1/other, model: model }
  - { name: DEAF, summary: s, host: api.test, method: POST, path: /v1/deaf }
  - { name: MANY, summary: s, host: api.test, method: POST, path: "/v1/{kind}", model: model }
  - { name: READ, summary: s, host: api.test, method: GET, path: /v1/read, model: model }
`

function folderWithRows(): string {
  const folder = tempFolder()
  writeFileSync(join(folder, 'rows.yaml'), ROWS)
  return folder
}

t.test(
  'a table of models finds the row, by name before glob, and makes it of an address',
  async (t) => {
    const config = goodConfig(
      `catalog: [rows.yaml]
models:
  default_model: big-1
  table:
    - { name: "big-*", tool: CALL, dialect: openai }
    - { name: "*", tool: CHAT, url: "${URL_OF}", dialect: anthropic, model: one, max_tokens: 5 }
    - { name: big-2, tool: CHAT, url: "${URL_OF}", dialect: openai }
`,
      folderWithRows(),
    )
    const tool = (name: string) => config.catalog.find((row) => row.name === name)
    const at = (name?: string) => {
      const { tool: row, ...place } = placeOf(name, { config, tool })
      return { row: row.name, ...place }
    }
    const big = { row: 'CALL', dialect: 'openai', maxTokens: undefined }
    t.strictSame(at(), { ...big, model: 'big-1' })
    t.strictSame(at('big-3'), { ...big, model: 'big-3' })
    t.strictSame(at('big-2'), { ...big, row: 'CHAT', model: 'big-2' })
    t.strictSame(at('else'), { row: 'CHAT', dialect: 'anthropic', model: 'one', maxTokens: 5 })
    t.match(tool('CHAT'), { method: 'POST', host: 'api.test', model: 'model', body: 'open' })
  },
)

t.test('without a table no model is called', async (t) => {
  const config = goodConfig('')
  const ports = { config, tool: () => undefined }
  t.throws(() => placeOf(undefined, ports), { code: 'malformed_request' })
  t.throws(() => placeOf('any', ports), { code: 'not_found' })
})

t.test('an entry whose calls could not be judged is told with its repair', async (t) => {
  const at = 'models.table[0].tool'
  const bad: readonly (readonly [text: string, path: string])[] = [
    [table(''), at],
    [table('url: api.test'), 'models.table[0].url'],
    [table(`url: "${URL_OF}?x=1"`), 'models.table[0].url'],
    [table(`url: "${URL_OF}"`, 'url: "https://other.test/x"'), 'models.table[1].tool'],
    [`models: { default_model: none }`, 'models.default_model'],
    ...['DEAF', 'MANY', 'READ', 'NONE'].map(
      (name) => [table('').replace('CHAT', name), at] as const,
    ),
    [table('url: "https://api.test/v1/deaf"'), 'models.table'],
    [
      table(`url: "${URL_OF}"`, 'url: "https://api.test/v1/x"')
        .replace('CHAT', 'TALK')
        .replace('v1/x', 'v1/chat/completions'),
      'models.table',
    ],
    [table(`url: "${URL_OF}"`).replace('CHAT', 'STORE_GET'), at],
    [table(`url: "${URL_OF}"`).replace('CHAT', 'CALL'), at],
  ]
  for (const [text, path] of bad) {
    const problems = badConfig(`catalog: [rows.yaml]\n${text}`, folderWithRows())
    t.ok(
      problems.some((problem) => problem.path === path && problem.repair !== ''),
      JSON.stringify([text, problems]),
    )
  }
})
