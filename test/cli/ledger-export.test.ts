import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import t from 'tap'
import { openLab } from './lab.ts'
import { cleanEnv, start } from './process.ts'

interface Line {
  readonly position: number
  readonly kind: string
  readonly record: Readonly<Record<string, unknown>>
}

/** The rows of a CSV whose cells may be quoted. */
function rowsOf(csv: string): readonly (readonly string[])[] {
  return csv
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(([, quoted, plain = '']) =>
        quoted === undefined ? plain : quoted.replaceAll('""', '"'),
      ),
    )
}

t.test('the ledger is written out', async (t) => {
  const lab = await openLab((end) => t.teardown(end))
  for (const flags of [
    ['https://api.demo.test/ping'],
    ['-X', 'DELETE', 'https://api.demo.test/ping'],
  ])
    await lab.spawn([
      'run',
      '--tools',
      'HTTP_GET',
      '--task',
      'T-1',
      '--',
      'node',
      'client.mjs',
      ...flags,
    ])
  const exported = async (...args: readonly string[]) => {
    const { exit, stdout, stderr } = await lab.run(['ledger', 'export', ...args])
    t.equal(exit, 0, stderr)
    return stdout
  }
  const lines = (await exported())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

  await t.test('as lines of the feed', async (t) => {
    t.same(
      lines.map(({ position }) => position),
      lines.map((_, at) => at + 1),
    )
    const receipts = lines.filter(({ kind }) => kind === 'receipt')
    t.same(
      receipts.map(({ record }) => record['outcome']),
      ['allowed', 'refused'],
    )
    t.ok(lines.some(({ record }) => record['event'] === 'gateway_started'))
  })

  await t.test('from a time on', async (t) => {
    t.equal(await exported('--since', '2999-01-01'), '')
    const hour = (await exported('--since', '1h')).trim().split('\n')
    t.ok(hour.length >= lines.length)
    const last = String(lines.findLast(({ kind }) => kind === 'receipt')?.record['closed'])
    const since = (await exported('--since', last)).trim().split('\n')
    t.ok(since.length < lines.length, `${since.length} of ${lines.length}`)
    t.ok(since.some((line) => line.includes(last)))
  })

  await t.test('as OCSF', async (t) => {
    const [first = '{}'] = (await exported('--format', 'ocsf')).split('\n')
    t.match(JSON.parse(first), { class_uid: 6003, metadata: { sequence: 1 } })
  })

  await t.test('as CSV, a row for each', async (t) => {
    const [names = [], ...rows] = rowsOf(await exported('--format', 'csv'))
    t.ok(rows.every((row) => row.length === names.length))
    const cells = (name: string) => rows.map((row) => row[names.indexOf(name)])
    t.same(
      cells('position').slice(0, lines.length),
      lines.map(({ position }) => String(position)),
    )
    t.same(
      cells('outcome').filter((cell) => cell !== ''),
      ['allowed', 'refused'],
    )
    t.same(JSON.parse(cells('record')[0] ?? ''), lines[0]?.record)
  })

  await t.test('as Parquet, into a file', async (t) => {
    const file = join(lab.folder, 'all.parquet')
    const env = cleanEnv({ NARROWGATE_STATE: lab.state, OUT: file })
    const child = start(['ledger', 'export', '--format', 'parquet'], { cwd: lab.folder, env })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    t.equal(await new Promise((resolve) => child.once('close', resolve)), 0)
    const bytes = Buffer.concat(chunks)
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    })
    t.same(
      rows.slice(0, lines.length).map(({ record }) => JSON.parse(String(record)) as unknown),
      lines.map(({ record }) => record),
    )
  })

  await t.test('what is not known is refused', async (t) => {
    t.equal((await lab.run(['ledger', 'export', '--format', 'xml'])).exit, 2)
    t.equal((await lab.run(['ledger', 'export', '--since', 'soon'])).exit, 2)
    t.equal((await lab.run(['ledger', 'export', '--task', 'T-1'])).exit, 2)
  })
})
