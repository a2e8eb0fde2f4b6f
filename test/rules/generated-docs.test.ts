import { readFileSync } from 'node:fs'
import t from 'tap'
import { GENERATED } from '../../scripts/generate-docs.ts'

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

t.match(textOf('docs/formats.md'), /\| tools \| `=` \|/, 'the table of axes is there')
t.match(
  textOf('docs/guardrails.md'),
  /\| `resource\.host` \| `String` \|/,
  'and that of attributes',
)
for (const [path, text] of Object.entries(GENERATED))
  t.equal(textOf(path), text(), `${path} is stale: run \`npm run docs\``)
