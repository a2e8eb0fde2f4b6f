import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import t from 'tap'
import type { SinkOptions } from '../../../adapters/exports/port.ts'
import { createFeed, drained, makeFolder, start, type HandFeed } from './rig.ts'

function filesTo(folder: string, more: object = {}): SinkOptions {
  return {
    type: 'files',
    name: 'lake',
    folder,
    format: 'json',
    maxBytes: 65_536,
    maxSeconds: 1,
    ...more,
  } as SinkOptions
}

interface Line {
  readonly position: number
  readonly id: string
}

function linesIn(folder: string): readonly Line[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      gunzipSync(readFileSync(join(folder, name)))
        .toString()
        .trim()
        .split('\n'),
    )
    .map((line) => JSON.parse(line) as Line)
}

const wanted = ({ items }: HandFeed) => items.map(({ id }) => id)

t.test('files of lines, each whole, by size and by time', async (t) => {
  const [folder, state] = [makeFolder(t), makeFolder(t)]
  const feed = createFeed()
  const exports = start(t, feed, { folder: state, sinks: [filesTo(join(folder, 'out'))] })
  feed.add(200)
  t.match(exports.status(), [{ backlog: 250, position: 0 }], 'it waits for more')
  t.ok(await drained(exports))
  const names = readdirSync(join(folder, 'out')).sort()
  t.ok(names.length > 2, names.join(' '))
  t.match(names[0], /^lake-000000000001-0000000000\d\d-[0-9a-f]{8}\.ndjson\.gz$/)
  const lines = linesIn(join(folder, 'out'))
  t.same(
    lines.map(({ id }) => id),
    wanted(feed),
  )
  t.strictSame(lines[0], {
    position: 1,
    id: 'w_a:2',
    kind: 'receipt',
    record: JSON.parse(feed.items[0]?.json ?? ''),
  })
  for (const name of names) {
    const { mode } = statSync(join(folder, 'out', name))
    t.equal(mode & 0o077, 0, 'nobody else reads it')
    const bytes = gunzipSync(readFileSync(join(folder, 'out', name))).length
    t.ok(bytes < 65_536 * 1.2, `${bytes}`)
  }
  const before = readdirSync(join(folder, 'out')).length
  feed.add(1)
  await delay(200)
  t.equal(readdirSync(join(folder, 'out')).length, before, 'a lone item waits')
  t.ok(await drained(exports))
  t.equal(readdirSync(join(folder, 'out')).length, before + 1, 'but no longer than said')
})

t.test('as OCSF, a line for each', async (t) => {
  const [folder, state] = [makeFolder(t), makeFolder(t)]
  const feed = createFeed()
  feed.add(4)
  t.ok(
    await drained(start(t, feed, { folder: state, sinks: [filesTo(folder, { format: 'ocsf' })] })),
  )
  t.match(linesIn(folder)[4], { class_uid: 6003, metadata: { uid: 'w_a:10', sequence: 5 } })
})

t.test('as Parquet, a row for each', async (t) => {
  const [folder, state] = [makeFolder(t), makeFolder(t)]
  const feed = createFeed()
  feed.add(1600)
  const sink = filesTo(folder, { format: 'parquet', maxBytes: 64 * 2 ** 20 })
  t.ok(await drained(start(t, feed, { folder: state, sinks: [sink] })))
  const [name = '', ...others] = readdirSync(folder)
  t.match(name, /^lake-000000000001-000000002000-[0-9a-f]{8}\.parquet$/)
  t.same(others, [])
  const file = readFileSync(join(folder, name))
  const rows = await parquetReadObjects({
    file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer,
  })
  t.same(
    rows.map(({ uid }) => uid as string),
    wanted(feed),
  )
  const { record, ...first } = rows[0] ?? {}
  t.strictSame(record, feed.items[0]?.json)
  t.match(first, {
    position: 1n,
    kind: 'receipt',
    id: '0199d2c4-0000-7000-8000-000000000001',
    opened: new Date('2026-11-29T12:00:01.000Z'),
    closed: new Date('2026-11-29T12:00:01.025Z'),
    time: new Date('2026-11-29T12:00:01.025Z'),
    tool: 'GITHUB_ISSUES_LIST',
    method: 'GET',
    host: 'api.github.com',
    outcome: 'allowed',
    ran: 'true',
    status: 200n,
    response_bytes: 48_210n,
  })
  t.match(rows[4], { kind: 'event', event: 'grant_minted', actor: 'owner', outcome: undefined })
})

t.test('a folder that cannot be written to loses nothing', async (t) => {
  const [folder, state] = [makeFolder(t), makeFolder(t)]
  const out = join(folder, 'out')
  // Root may write where the mode forbids it; nobody can into a file.
  writeFileSync(out, 'in the way')
  const feed = createFeed()
  feed.add(8)
  const exports = start(t, feed, { folder: state, sinks: [filesTo(out)] })
  while (exports.status()[0]?.error === undefined) await delay(10)
  t.match(exports.status(), [{ backlog: 10, error: /EEXIST|ENOTDIR/ }])
  rmSync(out)
  t.ok(await drained(exports))
  t.same(
    linesIn(out).map(({ id }) => id),
    wanted(feed),
  )
})

t.test('a batch whose acknowledgement a crash took makes the same file again', async (t) => {
  const [folder, state] = [makeFolder(t), makeFolder(t)]
  const feed = createFeed()
  feed.add(40)
  const first = start(t, feed, { folder: state, sinks: [filesTo(folder)] })
  t.ok(await drained(first))
  await first.close()
  const names = readdirSync(folder)
  const cursor = join(state, 'lake.json')
  t.same(JSON.parse(readFileSync(cursor, 'utf8')), { position: 50, id: 'w_a:100', until: null })
  writeFileSync(cursor, '{"position":0,"id":null,"until":50}')
  // What a broken write left, and items that came meanwhile.
  writeFileSync(join(folder, `.${names[0]}.part`), 'half')
  feed.add(40)
  t.ok(await drained(start(t, feed, { folder: state, sinks: [filesTo(folder)] })))
  t.same(
    linesIn(folder).map(({ id }) => id),
    wanted(feed),
    'each once',
  )
  t.ok(readdirSync(folder).includes(names[0] ?? ''))
  t.notOk(readdirSync(folder).some((name) => name.endsWith('.part')))
})

t.test('gzip itself reads them', async (t) => {
  const [folder, state] = [makeFolder(t), makeFolder(t)]
  mkdirSync(folder, { recursive: true })
  const feed = createFeed()
  feed.add(2)
  t.ok(await drained(start(t, feed, { folder: state, sinks: [filesTo(folder)] })))
  const [name = ''] = readdirSync(folder)
  const { stdout, status } = spawnSync('gzip', ['-dc', join(folder, name)], { encoding: 'utf8' })
  t.equal(status, 0)
  t.equal(stdout.split('\n').length, 3)
})
