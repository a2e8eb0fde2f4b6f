import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBacklog } from './backlog.ts'
import { durable } from './durable/measure.ts'
import { figures, type Backlog } from './figures.ts'
import { memory } from './memory.ts'
import { modes } from './modes.ts'
import { headOf, isHeld, lineOf, type Part } from '../rows.ts'
import { startServer, type Server } from './server.ts'

/** What the parts share. */
interface Shared {
  readonly folder: string
  /** A server, or why there is none. */
  readonly server: Server | string
  backlog(): Promise<Backlog>
}

/** In this order: the last one keeps this process on one core. */
const PARTS = new Map<string, (shared: Shared) => Promise<Part>>([
  ['durable', ({ folder, server }) => durable(join(folder, 'durable'), server)],
  ['figures', async ({ folder, server, backlog }) => figures(folder, server, await backlog())],
  [
    'memory',
    async ({ folder, server, backlog }) => memory(join(folder, 'gateway'), server, await backlog()),
  ],
  ['modes', () => modes()],
])
const RECEIPTS = '100000'

const { names, count } = readArguments()
console.log(`Node ${process.version}, in ${tmpdir()}, medians of rounds in turns`)
console.log(headOf())
const folder = mkdtempSync(join(tmpdir(), 'narrowgate-bench-'))
try {
  const server = await startServer()
  try {
    process.exitCode = (await measureAll(server)) ? 0 : 1
  } finally {
    if (typeof server !== 'string') await server.remove()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @throws Error where an argument is none of the bench's */
function readArguments(): { readonly names: readonly string[]; readonly count: number } {
  const { values, positionals } = parseArgs({
    options: { rows: { type: 'string', default: RECEIPTS } },
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
  return { names, count }
}

/** Gives whether all floors are held. */
async function measureAll(server: Server | string): Promise<boolean> {
  let written: Promise<Backlog> | undefined
  const write = async (): Promise<Backlog> => {
    const log = join(folder, 'backlog')
    await writeBacklog(log, count)
    return { folder: log, count }
  }
  const shared = { folder, server, backlog: () => (written ??= write()) }
  let held = true
  for (const name of names) {
    const { rows, skipped } = (await PARTS.get(name)?.(shared)) ?? { rows: [], skipped: [] }
    for (const row of rows) console.log(lineOf(row))
    for (const why of skipped) console.log(`SKIP ${why}; scripts/setup-tests.sh installs one`)
    held &&= rows.every(isHeld)
  }
  return held
}
