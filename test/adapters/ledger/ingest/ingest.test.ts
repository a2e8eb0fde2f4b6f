import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openLedgerIndex } from '../../../../adapters/ledger/index/open.ts'
import { openReadOnlyIndex } from '../../../../adapters/ledger/index/readonly.ts'
import { verifySegments } from '../../../../adapters/ledger/verify.ts'
import { makeFolder, openLog, recordsOf, segmentFiles } from '../rig.ts'
import { openHome, openIndexOf, record, writerOf, type Home } from './rig.ts'

/** The lines of a writer as they are kept. */
function keptOf({ folder }: Home, writer: string): readonly string[] {
  return segmentFiles(folder)
    .filter((file) => file.includes(writer))
    .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
}

t.test('a recorder’s log is taken in, byte for byte, and indexed with its origin', async (t) => {
  const home = await openHome(t)
  const index = await openIndexOf(t, home)
  const [lines = []] = await record(t, 9)
  const writer = writerOf(lines)
  for (const piece of [1, 7, 65_536]) {
    const { head, ...done } = await home
      .take(lines, piece)
      .then((all) => ({ ...all, head: all.hash }))
    t.match(done, { writer, n: 21, added: piece === 1 ? 21 : 0, known: piece === 1 ? 0 : 21 })
    t.equal(head, lines.at(-1)?.slice(0, 64))
  }
  t.strictSame(keptOf(home, writer), lines)
  await index.sync()
  const receipts = await index.list({ order: 'asc' })
  t.same(
    receipts.map(({ id, origin, outcome }) => [id, origin, outcome]),
    Array.from({ length: 9 }, (_, at) => [`sidecar:box-1-${at + 1}`, 'sidecar:box-1', 'allowed']),
  )
  const told = (await index.events({})).filter(({ event }) => event === 'ledger_ingested')
  t.match(
    told,
    [{ subject: writer, actor: 'recorder', data: { n: 21 } }],
    'our own log says so once',
  )
  const checked = await verifySegments(home.folder)
  t.equal(checked.verdict, 'ok')
  t.ok(
    checked.heads.some((head) => head.writer === writer && head.n === 21),
    'the verifier covers it',
  )
})

t.test(
  'it goes on in pieces: a header, then the lines from anywhere up to the next one',
  async (t) => {
    const home = await openHome(t)
    const segments = await record(t, 30, { rotateBytes: 2000 })
    t.ok(segments.length > 3)
    const writer = writerOf(segments[0] ?? [])
    const [header = '', ...rest] = segments[0] ?? []
    t.match(await home.take([header]), { n: 0, added: 0 })
    t.match(await home.take([header, ...rest.slice(0, 5)]), { n: 5, added: 5, known: 0 })
    t.match(await home.take([header, ...rest.slice(3, 8)]), { n: 8, added: 3, known: 2 })
    t.match(await home.take([header, ...rest.slice(8)]), { known: 0 })
    t.match(await home.take(segments.flat()), { known: rest.length })
    t.match(await home.take(segments[2] ?? []), { added: 0, known: (segments[2]?.length ?? 0) - 1 })
    t.strictSame(keptOf(home, writer), segments.flat())
    t.equal((await verifySegments(home.folder)).verdict, 'ok')
  },
)

/** A line with another record, whose hash fits behind the line before. */
function forged(before: string, change: (json: string) => string, line: string): string {
  const json = change(line.slice(65))
  const previous = Buffer.from(before.slice(0, 64), 'hex')
  return `${createHash('sha256').update(previous).update(json).digest('hex')} ${json}`
}

t.test('what does not fit is refused by name, and what came before stays', async (t) => {
  const [lines = []] = await record(t, 6)
  const [header = '', ...rest] = lines
  const at = (n: number) => rest[n - 1] ?? ''
  const change = (from: string, to: string) => (json: string) => json.replace(from, to)
  const own = forged(at(4), change('"sidecar:box-1"', '"gateway"'), at(5))
  const strange = forged(at(4), change('"kind":"intent"', '"kind":"whim"'), at(5))
  const other = forged(at(4), change('HTTP_GET', 'HTTP_PUT'), at(5))
  const cases = [
    ['a gap inside', [at(5), at(7)], 'gap', 7],
    ['a gap at the end', [at(6)], 'gap', 6],
    ['a wrong hash', [at(5).replace('HTTP_GET', 'HTTP_PUT')], 'mismatch', 5],
    ['an edit of what is kept', [at(3), at(4).replace('allowed', 'refused')], 'fork', 4],
    ['a step back', [at(4), at(4)], 'gap', 4],
    ['an origin that is ours', [own], 'malformed', 5],
    ['an unknown kind', [strange], 'malformed', 5],
    ['no line', ['hello'], 'malformed', undefined],
    ['no JSON', [`${'0'.repeat(64)} {`], 'malformed', undefined],
    ['a hash in capitals', [at(5).toUpperCase()], 'malformed', undefined],
  ] as const
  for (const [name, sent, code, n] of cases) {
    const home = await openHome(t)
    await home.take([header, ...rest.slice(0, 4)])
    const fault = await home.faultOf([header, ...sent])
    t.equal(fault.code, code, name)
    t.equal(fault.record, n, name)
    const stays = name === 'a gap inside' ? 5 : 4
    t.strictSame(
      keptOf(home, writerOf(lines)),
      lines.slice(0, stays + 1),
      `${name}: what was before`,
    )
    if (fault.code !== 'malformed') t.match(fault.head, { writer: writerOf(lines) })
    t.match(await home.take(lines), { n: rest.length }, `${name}: the true ones go on`)
    t.equal((await verifySegments(home.folder)).verdict, 'ok')
  }
  const home = await openHome(t)
  await home.take([header, ...rest.slice(0, 4), other])
  const fault = await home.faultOf(lines)
  t.match(fault, { code: 'fork', record: 5 }, 'two logs of one name')
})

t.test('headers that do not fit are refused too', async (t) => {
  const segments = await record(t, 20, { rotateBytes: 2000 })
  const [first = [], second = [], third = []] = segments
  const home = await openHome(t)
  t.match(await home.faultOf(second), { code: 'gap', record: 0 }, 'nothing is before it')
  await home.take(first)
  t.match(await home.faultOf(third), { code: 'gap', record: 0 })
  const [header = ''] = second
  const elsewhere = forged(
    '0'.repeat(64),
    (json) => json.replace(/"prev":"\w+"/, `"prev":"${'0'.repeat(64)}"`),
    header,
  )
  t.match(await home.faultOf([elsewhere]), { code: 'fork', record: 0 })
  t.match(await home.faultOf([header.replace('"opened":"2', '"opened":"3')]), { code: 'mismatch' })
  const later = forged(
    '0'.repeat(64),
    (json) => json.replace('"opened":"2', '"opened":"3'),
    first[0] ?? '',
  )
  t.match(await home.faultOf([later]), { code: 'fork', record: 0 }, 'another beginning')
  const [other = []] = await record(t, 1)
  t.match(await home.faultOf([...first, ...other]), { code: 'fork' }, 'two writers in one request')
  for (const sent of [[], first.slice(1), ['']])
    t.match(await home.faultOf(sent), { code: 'malformed' })
  const named = (writer: string) =>
    forged('0'.repeat(64), (json) => json.replace(writerOf(first), writer), first[0] ?? '')
  for (const name of ['x', 'w_', '../w_a', 'w_a/b', `w_${'a'.repeat(65)}`])
    t.match(await home.faultOf([named(name)]), { code: 'malformed' }, name)
  t.match(await home.faultOf([named(home.log.head().writer)]), { code: 'taken' })
})

t.test('an index that is made again gives the same numbers', async (t) => {
  const home = await openHome(t)
  const index = await openIndexOf(t, home)
  const [one = []] = await record(t, 5, { origin: 'sidecar:one' })
  const [two = []] = await record(t, 5, { origin: 'box:two' })
  for (let at = 2; at <= one.length; at += 3) {
    await home.log.refusal({ id: `own-${at}`, origin: 'gateway' })
    await home.take(one.slice(0, at))
    if (at % 2 === 0) await index.sync()
    await home.take(two.slice(0, at))
    await home.log.event({ event: 'grant_minted', subject: 'g', actor: 'owner', data: {} })
  }
  await home.take(one)
  await home.take(two)
  await index.sync()
  const before = await index.feed.read({ after: 0, limit: 1000 })
  const file = join(home.folder, 'again.sqlite')
  const again = await openLedgerIndex({ folder: home.folder, file, log: home.log })
  t.strictSame(await again.feed.read({ after: 0, limit: 1000 }), before)
  t.equal(new Set(before.map(({ id }) => id)).size, before.length)
  t.equal(
    before.filter(({ kind }) => kind === 'receipt').length,
    10 + Math.ceil((one.length - 1) / 3),
  )
  await again.close()
  const offline = await openReadOnlyIndex({
    folder: home.folder,
    file: join(home.folder, 'index.sqlite'),
  })
  await offline.sync()
  t.equal(offline.lag(), 0, 'nobody waits for what no event tells of')
  await offline.close()
})

/** The same log under another writer's name. */
function renamed(lines: readonly string[], name: string): readonly string[] {
  let before = '0'.repeat(64)
  return lines.map(
    (line) => (before = forged(before, (json) => json.replace(writerOf(lines), name), line)),
  )
}

t.test('a start does not go on with a recorder’s log, and a cut line is mended', async (t) => {
  const folder = makeFolder(t)
  const [recorded = []] = await record(t, 4)
  // It comes first among the names, where a start looks for its own log.
  const lines = renamed(recorded, 'w_----------')
  const writer = writerOf(lines)
  const first = await openLog(folder)
  const own = first.log.head().writer
  await first.log.close()
  const home = await openHome(t, folder)
  await home.take(lines.slice(0, 6))
  await home.log.close()
  const file = segmentFiles(folder).find((each) => each.includes(writer)) ?? ''
  appendFileSync(file, (lines[6] ?? '').slice(0, 40))
  const again = await openHome(t, folder)
  t.equal(again.log.head().writer, own)
  t.match(await again.take(lines), { n: lines.length - 1, added: lines.length - 6 })
  t.strictSame(keptOf(again, writer), lines)
})

t.test('what is kept and was not announced is announced with the next request', async (t) => {
  const folder = makeFolder(t)
  const home = await openHome(t, folder)
  const index = await openIndexOf(t, home)
  const [lines = []] = await record(t, 3)
  await home.take(lines)
  // As a crash leaves it between the lines and the event.
  writeFileSync(join(folder, writerOf(lines), 'foreign.json'), '{"n":2}\n')
  t.match(await home.take(lines), { added: 0 })
  const told = recordsOf(folder).filter(({ event }) => event === 'ledger_ingested')
  t.match(told, [{ data: { n: 7 } }, { data: { n: 7 } }])
  await index.sync()
  t.same(await index.counts({}), { allowed: 3 }, 'which counts nothing twice')
})

t.test('requests of one writer at the same time follow one another', async (t) => {
  const home = await openHome(t)
  const [lines = []] = await record(t, 60)
  const done = await Promise.all(
    Array.from({ length: 8 }, (_, at) => home.take(lines, 100 + at * 37)),
  )
  t.equal(
    done.reduce((sum, { added }) => sum + added, 0),
    lines.length - 1,
    'each record is added once',
  )
  t.strictSame(keptOf(home, writerOf(lines)), lines)
})

t.test('a log that was damaged here is not appended to', async (t) => {
  const home = await openHome(t)
  const [lines = []] = await record(t, 4)
  await home.take(lines.slice(0, 6))
  const file = segmentFiles(home.folder).find((each) => each.includes(writerOf(lines))) ?? ''
  writeFileSync(file, readFileSync(file, 'utf8').replace('HTTP_GET', 'HTTP_PUT'))
  await home.log.close()
  const again = await openHome(t, home.folder)
  await t.rejects(again.take(lines), { message: /is damaged here: the hash does not fit/ })
  rmSync(join(home.folder, writerOf(lines)), { recursive: true })
  t.match(
    await again.take(lines),
    { added: lines.length - 1 },
    'once it is out of the way it is sent anew',
  )
})
