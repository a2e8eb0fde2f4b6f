import t from 'tap'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { makeFolder, openLog, recordsOf, writeSmallLog } from './rig.ts'

t.test('an intent without an outcome gets the outcome unknown at the next start', async (t) => {
  const folder = makeFolder(t)
  await writeSmallLog(folder)
  t.same((await verifySegments(folder)).openIntents, [5])
  const { log } = await openLog(folder)
  await log.close()
  const closed = '2026-11-29T12:00:00.000Z'
  t.same(recordsOf(folder).at(-1), {
    kind: 'outcome',
    n: 6,
    intent: 5,
    closed,
    outcome: 'unknown',
    ran: 'unknown',
  })
  t.same((await verifySegments(folder)).openIntents, [])
})

t.test('so does one that was opened segments ago', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder, { rotateBytes: 1 })
  await log.intent({ id: 'long' })
  for (let at = 0; at < 5; at += 1) await log.refusal({ id: `r-${at}` })
  await log.close()
  const again = await openLog(folder)
  await again.log.close()
  t.has(recordsOf(folder).at(-1), { kind: 'outcome', n: 7, intent: 1, outcome: 'unknown' })
})
