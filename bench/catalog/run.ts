import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createOpenApiReader } from '../../adapters/documents/openapi.ts'
import { rowsOfOpenApi, type Tool } from '../../catalog/index.ts'
import { headOf, isHeld, lineOf, type Part, type Row } from '../rows.ts'
import { batch } from './batch.ts'
import { githubDocument } from './document.ts'
import { importing } from './import.ts'
import { light } from './light.ts'
import { resolve } from './resolve.ts'
import { routing } from './routing.ts'

/** What the parts are asked for. */
interface Asked {
  /** Rows of the large catalog. */
  readonly count: number
  /** Path of an OpenAPI document, or why there is none. */
  readonly document: { readonly path: string } | { readonly why: string }
}

const PARTS = new Map<string, (asked: Asked) => Part | Promise<Part>>([
  [
    'import',
    ({ document }) =>
      'why' in document ? { rows: [], skipped: [document.why] } : importing(document.path),
  ],
  ['routing', ({ count }) => routing(count)],
  ['resolve', ({ count }) => resolve(count)],
  ['light', async ({ document }) => light(await toolsOf(document))],
  ['batch', () => batch()],
])
/** Those that look at a document. */
const READERS: readonly string[] = ['import', 'light']

const { names, count, given, print } = readArguments()
if (print === lineOf) {
  console.log(`Node ${process.version}, medians of rounds in turns`)
  console.log(headOf())
}
const asked = { count, document: documentFor(names) }
let held = true
for (const name of names) {
  const { rows, skipped } = (await PARTS.get(name)?.(asked)) ?? { rows: [], skipped: [] }
  for (const row of rows) console.log(print(row))
  for (const why of skipped) console.log(print === lineOf ? `SKIP ${why}` : json({ skipped: why }))
  held &&= rows.every(isHeld)
}
process.exitCode = held ? 0 : 1

/** @throws Error where an argument is none of the bench's */
function readArguments() {
  const { values, positionals } = parseArgs({
    options: {
      rows: { type: 'string', default: '100000' },
      document: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const known = [...PARTS.keys()]
  const stray = positionals.find((name) => !PARTS.has(name))
  if (stray !== undefined)
    throw new Error(`part: got \`${stray}\`, name some of ${known.join(', ')}, or none for all`)
  const count = Number(values.rows)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`--rows: got \`${values.rows}\`, give a whole number above 0`)
  const names = known.filter((name) => positionals.length === 0 || positionals.includes(name))
  const print: (row: Row) => string = values.json
    ? (row) => json({ ...row, held: isHeld(row) })
    : lineOf
  return { names, count, given: values.document, print }
}

/** Nothing is fetched for parts that do not look at it. */
function documentFor(parts: readonly string[]): Asked['document'] {
  if (given !== undefined) return { path: given }
  if (!parts.some((name) => READERS.includes(name))) return { why: 'no part reads it' }
  return githubDocument()
}

async function toolsOf(document: Asked['document']): Promise<readonly Tool[] | string> {
  if ('why' in document) return document.why
  const read = await createOpenApiReader().read(readFileSync(document.path, 'utf8'))
  if (!read.ok) throw new Error(read.why)
  const rows = rowsOfOpenApi(read.document, { prefix: 'GITHUB' })
  if (!rows.ok) throw new Error(rows.problem.got)
  return rows.tools
}

function json(value: object): string {
  return JSON.stringify(value)
}
