import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import t from 'tap'
import { makeFolder, openLog, recordsOf, segmentFiles, writeSmallLog } from './rig.ts'

t.test('damage is named, recorded by a fresh writer, and told once', async (t) => {
  const folder = makeFolder(t)
  await writeSmallLog(folder)
  const file = segmentFiles(folder)[0] ?? ''
  const harmed = readFileSync(file, 'utf8').replace('"status":200', '"status":201')
  writeFileSync(file, harmed)
  const offset = harmed.split('\n').slice(0, 2).join('\n').length + 1

  const { log, alarms } = await openLog(folder)
  const writer = basename(dirname(file))
  const damage = { writer, file, record: 2, offset, what: 'the hash does not fit' }
  t.same(alarms, [{ kind: 'damage', ...damage }])
  t.not(log.head().writer, writer)
  await log.close()
  const { writer: subject, ...data } = damage
  t.has(
    recordsOf(folder).find(({ event }) => event === 'ledger_damaged'),
    { subject, actor: 'gateway', data },
  )
  t.equal(readFileSync(file, 'utf8'), harmed)

  const again = await openLog(folder)
  t.same(again.alarms, [])
  t.equal(again.log.head().writer, log.head().writer)
  await again.log.close()
})
