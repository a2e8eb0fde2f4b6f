import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openLedgerIndex } from '../../../../adapters/ledger/index/open.ts'
import { makeFolder, openLog, segmentFiles } from '../rig.ts'
import { addExchange } from './rig.ts'

t.test('an index goes on where it ended, over segments', async (t) => {
  const folder = makeFolder(t)
  const file = join(folder, 'index.sqlite')
  const { log } = await openLog(folder, { rotateBytes: 1000 })
  for (const round of [0, 1, 2]) {
    for (let at = 0; at < 30; at += 1) await addExchange(log, { id: `${round}-${at}` })
    const index = await openLedgerIndex({ folder, file, log })
    t.same(await index.counts({}), { allowed: 30 * (round + 1) })
    t.equal((await index.list({ limit: 1 }))[0]?.seq, 30 * (round + 1))
    await index.close()
  }
  await log.close()
})

t.test('more records than one step takes are all indexed', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder)
  await Promise.all(Array.from({ length: 5001 }, (_, at) => log.refusal({ id: `r-${at}` })))
  const index = await openLedgerIndex({ folder, file: join(folder, 'index.sqlite'), log })
  t.same(await index.counts({}), { refused: 5001 })
  await index.close()
  await log.close()
})

t.test('an index of another log is made again', async (t) => {
  const folder = makeFolder(t)
  const file = join(folder, 'index.sqlite')
  const first = await openLog(folder)
  await addExchange(first.log, { id: 'old' })
  await first.log.close()
  await (await openLedgerIndex({ folder, file })).close()
  for (const segment of segmentFiles(folder))
    rmSync(join(segment, '..'), { recursive: true, force: true })
  const second = await openLog(folder)
  await addExchange(second.log, { id: 'new' })
  await second.log.close()
  const index = await openLedgerIndex({ folder, file })
  t.equal(await index.get('old'), undefined)
  t.match(await index.get('new'), { seq: 1 })
  await index.close()
})

t.test('a log that was cut behind the index’s back is read again', async (t) => {
  const folder = makeFolder(t)
  const file = join(folder, 'index.sqlite')
  const { log } = await openLog(folder)
  await addExchange(log, { id: 'kept' })
  const [segment = ''] = segmentFiles(folder)
  const before = readFileSync(segment)
  await addExchange(log, { id: 'gone' })
  await log.close()
  await (await openLedgerIndex({ folder, file })).close()
  writeFileSync(segment, before)
  const index = await openLedgerIndex({ folder, file })
  t.same(
    (await index.list({})).map(({ id }) => id),
    ['kept'],
  )
  await index.close()
})

t.test('a damaged chain is indexed up to its damage, and that is told', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder)
  for (const id of ['a', 'b', 'c']) await log.refusal({ id })
  await log.close()
  const [segment = ''] = segmentFiles(folder)
  writeFileSync(segment, readFileSync(segment, 'utf8').replace('"id":"b"', '"id":"B"'))
  const faults: string[] = []
  const onFault = (fault: string) => void faults.push(fault)
  const index = await openLedgerIndex({ folder, file: join(folder, 'index.sqlite'), onFault })
  t.same(
    (await index.list({})).map(({ id }) => id),
    ['a'],
  )
  t.match(JSON.parse(faults[0] ?? '{}'), { record: 2, what: 'the hash does not fit' })
  await index.sync()
  t.equal(faults.length, 1)
  await index.close()
})

t.test('what is not durable is not indexed', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder)
  await log.refusal({ id: 'a' })
  const early = log.head()
  await log.refusal({ id: 'b' })
  const index = await openLedgerIndex({
    folder,
    file: join(folder, 'index.sqlite'),
    log: { head: () => early },
  })
  t.same(
    (await index.list({})).map(({ id }) => id),
    ['a'],
  )
  await index.close()
  await log.close()
})
