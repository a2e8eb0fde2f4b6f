import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { default as t, type Test } from 'tap'
import { SecretText } from '../../../../adapters/keys/secret.ts'
import {
  openCheckpoints,
  type CheckpointAlarm,
  type CheckpointOptions,
} from '../../../../adapters/ledger/checkpoint/checkpoints.ts'
import { isConsistent, rootOfInclusion } from '../../../../adapters/ledger/tree/check.ts'
import { makeFolder, openLog, recordsOf, segmentFiles } from '../rig.ts'
import { treeHash } from '../tree/_reference.ts'
import { leavesOf, notesOf, readSigned, rewrite } from './_stranger.ts'

const KEY = new SecretText('ledger-key', Buffer.alloc(32, 5).toString('base64url'))
const HOUR = 3_600_000

async function open(t: Test, folder: string, options: Partial<CheckpointOptions> = {}) {
  const { log, alarms: logAlarms } = await openLog(folder, { rotateBytes: 3000 })
  const alarms: CheckpointAlarm[] = []
  const proofs = openCheckpoints({
    folder,
    log,
    name: 'ledger.example',
    key: KEY,
    everyMs: HOUR,
    onAlarm: (alarm) => void alarms.push(alarm),
    ...options,
  })
  proofs.start()
  let closed: Promise<void> | undefined
  const close = () => (closed ??= proofs.close().then(() => log.close()))
  t.teardown(close)
  const file = join(folder, log.head().writer, 'checkpoints.txt')
  return { log, logAlarms, proofs, alarms, close, file }
}

const decoded = (path: readonly string[]) => path.map((hash) => Buffer.from(hash, 'base64'))

t.test('a checkpoint covers all that is durable; it is kept and recorded', async (t) => {
  const folder = makeFolder(t)
  const { log, proofs, file, close } = await open(t, folder)
  for (let at = 0; at < 20; at += 1) await log.refusal({ id: `r-${at}`, pad: 'x'.repeat(300) })
  const { origin, size, note } = await proofs.sign()
  const said = readSigned(note, proofs.verifierKey)
  t.equal(origin, `ledger.example/${log.head().writer}`)
  t.same(said, { origin, size, root: treeHash(leavesOf(folder).slice(0, size)) })
  t.equal(notesOf(file).at(-1), note)
  t.match(proofs.verifierKey, /^ledger\.example\+[0-9a-f]{8}\+/)
  const recorded = recordsOf(folder).filter(({ event }) => event === 'checkpoint_signed')
  t.match(recorded.at(-1), { subject: origin, actor: 'gateway', data: { size, note } })
  t.equal(recorded.length, 2, 'the one of the start, and this')

  await close()
  const last = readSigned(notesOf(file).at(-1) ?? '', proofs.verifierKey)
  t.equal(last.size, size + 1, 'one more is signed at the end')
})

t.test('they come by themselves, though nothing is added', async (t) => {
  const { file, close } = await open(t, makeFolder(t), { everyMs: 20 })
  while (notesOf(file).length < 4) await sleep(10)
  await close()
  const sizes = notesOf(file).map((note) => Number(note.split('\n')[1]))
  t.same(
    sizes,
    [...sizes.keys()].map((at) => at),
    'each covers the record of the one before',
  )
})

t.test('any size that was reached can be asked for, and proved to have grown', async (t) => {
  const folder = makeFolder(t)
  const { log, proofs } = await open(t, folder)
  for (let at = 0; at < 30; at += 1) await log.refusal({ id: `r-${at}`, pad: 'x'.repeat(300) })
  const { size } = await proofs.sign()
  const leaves = leavesOf(folder)
  for (const [from, to] of [
    [0, 3],
    [1, size],
    [7, 20],
    [size, size],
    [13, 13],
  ] as const) {
    const proof = await proofs.consistency(from, to)
    const [former, later] = [await proofs.at(from), proof?.checkpoint]
    const [older, newer] = [former, later].map((one) =>
      readSigned(one?.note ?? '', proofs.verifierKey),
    )
    if (older === undefined || newer === undefined) return t.fail('two heads were asked for')
    const heads = [older, newer]
    t.same(
      heads.map((head) => head.size),
      [from, to],
    )
    t.same(
      heads.map((head) => head.root),
      [from, to].map((n) => treeHash(leaves.slice(0, n))),
    )
    t.ok(isConsistent(older, newer, decoded(proof?.path ?? [])))
  }
  t.equal(await proofs.at(size + 1), undefined)
  t.equal(await proofs.consistency(5, size + 1), undefined)
  t.equal(await proofs.consistency(6, 5), undefined)
})

t.test('the records of an exchange are proved, however far apart they lie', async (t) => {
  const folder = makeFolder(t)
  const { log, proofs } = await open(t, folder)
  const [opened, closed] = ['2026-11-29T12:00:00.000Z', '2026-11-29T12:00:01.000Z']
  const intent = await log.intent({ id: 'far', opened })
  for (let at = 0; at < 30; at += 1) await log.refusal({ id: `r-${at}`, pad: 'x'.repeat(300) })
  const open_ = await log.intent({ id: 'open', opened, note: 'names "far" too' })
  const outcome = await log.outcome(intent, { outcome: 'allowed', closed })
  t.ok(segmentFiles(folder).length > 3)
  const prove = async (id: string, until: string | undefined) => {
    const proof = await proofs.inclusion({ id, opened, closed: until })
    const head = readSigned(proof?.checkpoint.note ?? '', proofs.verifierKey)
    for (const { n, line, path } of proof?.records ?? [])
      t.same(
        rootOfInclusion({ line: Buffer.from(line), at: n - 1 }, head.size, decoded(path)),
        head.root,
      )
    return proof?.records.map(({ n }) => n)
  }
  t.same(await prove('far', closed), [intent.n, outcome.n])
  t.same(await prove('far', '2020-01-01T00:00:00.000Z'), [intent.n, outcome.n], 'a wrong clock')
  t.same(await prove('open', undefined), [open_.n])
  t.same((await prove('r-7', closed))?.length, 1)
  t.equal(await proofs.inclusion({ id: 'nobody', opened, closed }), undefined)

  const late = await log.refusal({ id: 'late', opened, closed })
  t.same(await prove('late', closed), [late.n], 'what came since is signed for it')
})

t.test(
  'a restart goes on from its own checkpoint, whatever a crash left of the file',
  async (t) => {
    const folder = makeFolder(t)
    const first = await open(t, folder)
    await first.log.event({ event: 'one' })
    await first.close()
    const whole = readFileSync(first.file, 'utf8')
    const kept = notesOf(first.file)
    appendFileSync(first.file, whole.slice(0, whole.indexOf('\n\n') + 10) + 'x'.repeat(2000))

    const again = await open(t, folder)
    t.equal(again.proofs.latest()?.note, kept.at(-1))
    await again.proofs.sign()
    const notes = notesOf(again.file)
    t.same(notes.slice(0, kept.length), kept)
    for (const note of notes) readSigned(note, again.proofs.verifierKey)
    t.ok(readFileSync(again.file, 'utf8').endsWith(`${notes.at(-1)}\n`), 'and no rest behind them')
    t.same(again.alarms, [])
  },
)

t.test('a log that is not what was signed is not signed again', async (t) => {
  const cases: Readonly<Record<string, (file: string) => void>> = {
    'a changed record': (file) =>
      writeFileSync(file, readFileSync(file, 'utf8').replace('"one"', '"two"')),
    'a segment that is gone': (file) => rmSync(file),
  }
  for (const [name, harm] of Object.entries(cases))
    t.test(name, async (t) => {
      const folder = makeFolder(t)
      const first = await open(t, folder)
      await first.log.event({ event: 'one' })
      await first.close()
      harm(segmentFiles(folder)[0] ?? '')
      const again = await open(t, folder)
      t.not(again.log.head().writer, first.log.head().writer, 'a new writer goes on')
      t.match(again.logAlarms, [{ kind: 'damage', writer: first.log.head().writer }])
    })

  t.test('a chain that was made anew as a whole', async (t) => {
    const folder = makeFolder(t)
    const first = await open(t, folder)
    await first.log.event({ event: 'one' })
    await first.close()
    rewrite(folder, (json) => json.replace('"one"', '"two"'))
    const { log, logAlarms, proofs, alarms, close } = await open(t, folder)
    t.same(logAlarms, [], 'its hashes fit')
    await t.rejects(proofs.sign(), /the record is not the one that was signed/)
    const { writer } = log.head()
    t.match(alarms, [{ kind: 'damage', writer }])
    await close()
    const next = await open(t, folder)
    t.not(next.log.head().writer, writer)
  })

  t.test('while it runs', async (t) => {
    const folder = makeFolder(t)
    const { log, proofs, alarms, close } = await open(t, folder)
    const { writer } = log.head()
    await proofs.sign()
    await log.event({ event: 'one' })
    const [file = ''] = segmentFiles(folder)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"one"', '"two"'))
    await t.rejects(proofs.sign(), /the hash does not fit/)
    await t.rejects(proofs.sign(), /the hash does not fit/)
    await t.rejects(proofs.at(1), /the hash does not fit/)
    t.match(proofs.fault(), /record 3: the hash does not fit/)
    t.match(alarms, [{ kind: 'damage', writer, record: 3 }])
    await close()
    const next = await open(t, folder)
    t.not(next.log.head().writer, writer)
  })
})

t.test('a log that was cut behind what was signed is seen at the start', async (t) => {
  const folder = makeFolder(t)
  const { log, close } = await open(t, folder)
  await log.event({ event: 'one' })
  await close()
  const [file = ''] = segmentFiles(folder)
  const lines = readFileSync(file, 'utf8').split('\n')
  truncateSync(file, Buffer.byteLength(`${lines.slice(0, 2).join('\n')}\n`))
  const again = await open(t, folder)
  const { n, writer } = log.head()
  t.match(again.logAlarms, [
    {
      kind: 'damage',
      writer,
      record: 2,
      what: `the log ends here, though its first ${n - 1} records were signed`,
    },
  ])
})

t.test('that none can be kept is told once, and the next is kept again', async (t) => {
  const folder = makeFolder(t)
  const { proofs, alarms, file } = await open(t, folder, { everyMs: 20 })
  await proofs.sign()
  renameSync(file, `${file}.away`)
  mkdirSync(file)
  while (alarms.length === 0) await sleep(5)
  await sleep(100)
  t.match(alarms, [{ kind: 'unsigned', error: { code: 'EISDIR' } }])
  rmdirSync(file)
  const { note } = await proofs.sign()
  t.ok(notesOf(file).includes(note), 'among those of the timer')
  for (const kept of notesOf(file)) readSigned(kept, proofs.verifierKey)
})
