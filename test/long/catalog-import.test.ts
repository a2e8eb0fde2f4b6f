import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { default as t, type Test } from 'tap'
import { cleanEnv } from '../cli/process.ts'

// A document of 50 MB becomes rows in a process whose memory is bounded. About half a minute on two cores.

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const OPERATIONS = 20_500
const SCHEMAS = 2_050
const HEAP_MB = 512
/** With what lies outside of the heap: the text as it is read, the program itself. */
const MOST_BYTES = 800 * 1024 * 1024
const TEXT = 'Words about what this is, and what it does, and to whom it may be of use. '

const schemaAt = (at: number) => ({ $ref: `#/components/schemas/thing${at % SCHEMAS}` })
const jsonOf = (at: number) => ({ 'application/json': { schema: schemaAt(at) } })

/** Five schemas each are in one another, and every operation has two of them. */
function schema(at: number): object {
  const fields = Array.from({ length: 12 }, (_, field) => {
    const isNested = field === 0 && at % 5 > 0
    return [`field${field}`, isNested ? schemaAt(at - 1) : { type: 'string', description: TEXT }]
  })
  const properties: object = Object.fromEntries(fields)
  return { type: 'object', description: TEXT.repeat(4), required: ['field1'], properties }
}

function operation(at: number): object {
  return {
    operationId: `thing.update${at}`,
    description: TEXT.repeat(14),
    parameters: [
      { name: 'id', in: 'path', required: true, description: TEXT, schema: { type: 'string' } },
      { name: '$select', in: 'query', description: TEXT, schema: { type: 'array' } },
    ],
    requestBody: { required: true, content: jsonOf(at) },
    responses: { 200: { description: TEXT.repeat(4), content: jsonOf(at * 7) } },
  }
}

function writeDocument(file: string): void {
  const many = <V>(length: number, make: (at: number) => readonly [string, V]) =>
    Object.fromEntries(Array.from({ length }, (_, at) => make(at)))
  const document = {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://things.test/v1' }],
    paths: many(OPERATIONS, (at) => [`/things/${at}/{id}`, { post: operation(at) }]),
    components: { schemas: many(SCHEMAS, (at) => [`thing${at}`, schema(at)]) },
  }
  writeFileSync(file, JSON.stringify(document, null, 1))
}

interface Imported {
  readonly exit: number | null
  readonly stderr: string
  readonly mostBytes: number
}

/** Imports the document in a process of its own; the kernel keeps the peak of its memory. */
function importIn(cwd: string): Promise<Imported> {
  const heap = `--max-old-space-size=${HEAP_MB}`
  const args = ['catalog', 'import', 'things.json', '--prefix', 'THINGS']
  const child = spawn(process.execPath, [heap, MAIN, ...args], {
    cwd,
    env: cleanEnv(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  let mostBytes = 0
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()))
  const look = () => {
    const peak = /VmHWM:\s+(\d+) kB/.exec(statusOf(child.pid!))?.[1]
    if (peak !== undefined) mostBytes = Number(peak) * 1024
  }
  const timer = setInterval(look, 20)
  return new Promise((resolve) => {
    child.once('close', (exit) => {
      clearInterval(timer)
      resolve({ exit, stderr, mostBytes })
    })
  })
}

/** Empty once the process is gone. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

async function check(t: Test, cwd: string, what: string): Promise<void> {
  const { exit, stderr, mostBytes } = await importIn(cwd)
  t.equal(exit, 0, stderr)
  t.match(stderr, new RegExp(`ok {2}${OPERATIONS} rows written`), what)
  t.match(stderr, /^1\/4 read\n2\/4 resolve\n3\/4 make rows\n4\/4 write\n/)
  t.ok(mostBytes > 100 * 1024 * 1024, 'the peak was seen')
  t.ok(mostBytes < MOST_BYTES, `${what}: ${Math.round(mostBytes / 1024 / 1024)} MiB at most`)
}

t.test('a document of 50 MB in bounded memory', async (t) => {
  const cwd = t.testdir({})
  writeDocument(join(cwd, 'things.json'))
  const { size } = statSync(join(cwd, 'things.json'))
  t.ok(size > 50_000_000, `${size} bytes`)
  await check(t, cwd, 'import')
  const rows = readFileSync(join(cwd, 'catalog/things.json'), 'utf8').split('\n')
  t.equal(rows.length, OPERATIONS + 3, 'a row a line')
  await check(t, cwd, 'import again')
})
