import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { makeFolder, openLog, recordsOf, segmentFiles, writeSmallLog } from './rig.ts'

t.test('a log cut at any byte comes up with every whole record before the cut', async (t) => {
  const folder = makeFolder(t)
  await writeSmallLog(folder)
  const file = segmentFiles(folder)[0] ?? ''
  const whole = readFileSync(file)
  const faults: object[] = []
  for (let cut = 0; cut <= whole.length; cut += 1) {
    writeFileSync(file, whole)
    truncateSync(file, cut)
    const kept = whole.subarray(0, cut).toString('latin1').split('\n').length - 1
    const { log, alarms } = await openLog(folder)
    await log.close()
    const records = recordsOf(folder)
    const { verdict } = await verifySegments(folder)
    const open =
      records.filter(({ kind }) => kind === 'intent').length -
      records.filter(({ kind }) => kind === 'outcome').length
    const torn = cut === 0 || whole[cut - 1] !== 0x0a
    const seen = alarms.some(({ kind }) => kind === 'torn_tail')
    if (verdict !== 'ok' || records.length < Math.max(1, kept) || open !== 0 || seen !== torn) {
      faults.push({ cut, verdict, records, alarms })
    }
  }
  t.same(faults, [], `${whole.length + 1} cuts`)
})

t.test('a tail that is torn inside of the log is damage', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder, { rotateBytes: 1 })
  await log.refusal({ id: 'one' })
  await log.refusal({ id: 'two' })
  await log.close()
  const [first = ''] = segmentFiles(folder)
  truncateSync(first, readFileSync(first).length - 3)
  t.equal((await verifySegments(folder)).verdict, 'damaged')
})
