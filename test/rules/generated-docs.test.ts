import { readFileSync } from 'node:fs'
import t from 'tap'
import { generatedFormats } from '../../scripts/generate-docs.ts'

const page = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8')

t.match(page, /\| tools \| `=` \|/, 'the table is there')
t.equal(page, generatedFormats(), 'stale: run `npm run docs`')
