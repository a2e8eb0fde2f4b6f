import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { default as t, type Test } from 'tap'
import type { LedgerMode } from '../../../adapters/ledger/port.ts'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { makeFolder, openLog, recordsOf, segmentFiles } from './rig.ts'

const bytesOn = (folder: string) =>
  segmentFiles(folder).reduce((sum, file) => sum + statSync(file).size, 0)

for (const own of ['strict', 'batch', 'best-effort'] as const)
  t.test(`a record is as durable as it asks for, in a log that is ${own}`, async (t) => {
    const folder = makeFolder(t)
    const { log } = await openLog(folder, { mode: own })
    const syncs = () => log.stats().syncs
    const before = syncs()
    for (let at = 0; at < 5; at += 1) await log.refusal({ id: `s-${at}` }, undefined, 'strict')
    t.ok(syncs() >= before + 5, 'each strict one was synced before it was answered')
    const { n } = log.head()
    t.equal(n, 5, 'and is durable')
    const settled = syncs()
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) =>
        log.refusal({ id: `b-${at}` }, undefined, 'batch'),
      ),
    )
    t.ok(bytesOn(folder) > 1000, 'what is batched is written')
    t.equal(syncs(), settled, 'and not synced')
    const effort = log.refusal({ id: 'e' }, undefined, 'best-effort')
    await effort
    t.ok(log.stats().pending > 0, 'nobody waited for the last one')
    await log.refusal({ id: 'last' }, undefined, 'strict')
    t.equal(log.head().n, 27, 'a strict one takes along what is before it')
    await log.close()
    t.match(log.stats(), { records: 27, lost: 0, pending: 0 })
    t.match(await verifySegments(folder), { verdict: 'ok' })
  })

/** A log whose disk takes nothing: its next segment cannot be made. */
async function fullLog(t: Test, mode: LedgerMode) {
  const folder = makeFolder(t)
  const { log, alarms } = await openLog(folder, { mode, rotateBytes: 1, deadlineMs: 300 })
  const next = join(folder, log.head().writer, '000002.ndlog')
  mkdirSync(next)
  return { folder, log, alarms, mend: () => rmSync(next, { recursive: true }) }
}

t.test(
  'where nothing can be recorded best effort goes on, and what it loses is told',
  async (t) => {
    t.setTimeout(60_000)
    const { folder, log, alarms, mend } = await fullLog(t, 'strict')
    await t.rejects(log.intent({ id: 'strict' }), { code: 'ledger_unavailable' })
    const intent = await log.intent({ id: 'effort' }, undefined, 'best-effort')
    await log.outcome(intent, { outcome: 'allowed' }, undefined, 'best-effort')
    for (let at = 0; at < 10_050; at += 1)
      await log.refusal({ id: `e-${at}` }, undefined, 'best-effort')
    const { lost } = log.stats()
    t.ok(lost > 40 && lost < 60, `${lost} were lost`)
    await t.rejects(log.intent({ id: 'strict' }), { code: 'ledger_unavailable' })
    mend()
    while (!log.ready().ok || log.stats().pending > 0) await new Promise((r) => setTimeout(r, 20))
    await log.refusal({ id: 'last' })
    await log.close()
    const records = recordsOf(folder)
    const told = records.filter(({ event }) => event === 'records_lost')
    t.match(told, [{ actor: 'gateway', subject: log.head().writer, data: { count: lost } }])
    t.match(
      alarms.filter(({ kind }) => kind === 'lost'),
      [{ count: lost }],
    )
    const kept = records.filter(({ id }) => String(id).startsWith('e-')).length
    t.equal(kept + lost, 10_050, 'each was kept or counted')
    t.ok(
      records.some(({ outcome }) => outcome === 'allowed'),
      'what waited for the disk is there',
    )
    t.match(await verifySegments(folder), { verdict: 'ok' })
  },
)

t.test('a segment that is full is sealed', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder, { rotateBytes: 500 })
  for (let at = 0; at < 12; at += 1) await log.refusal({ id: `r-${at}`, pad: 'x'.repeat(100) })
  await log.close()
  const files = segmentFiles(folder)
  t.ok(files.length > 3)
  t.same(
    files.map((file) => (statSync(file).mode & 0o777).toString(8)),
    [...files.slice(1).map(() => '400'), '600'],
  )
})
