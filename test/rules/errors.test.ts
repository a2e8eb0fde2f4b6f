import { readFileSync } from 'node:fs'
import t from 'tap'
import { ERRORS } from '../../gateway/errors.ts'

const DOCS = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
const documented = new Map(
  [...DOCS.matchAll(/^## (\w+)\n\n(\d{3})/gm)].map(([, code, status]) => [code, Number(status)]),
)

await t.test('every code has its section, with its status', async (t) => {
  for (const [code, { status }] of Object.entries(ERRORS)) {
    t.equal(documented.get(code), status, `docs/errors.md: ${code}`)
  }
})

await t.test('every section is about a code that exists', async (t) => {
  t.ok(documented.size > 30, 'the page was read')
  t.same(
    [...documented.keys()].filter((code) => !Object.hasOwn(ERRORS, code ?? '')),
    [],
  )
})
