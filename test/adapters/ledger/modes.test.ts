import t from 'tap'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { makeFolder, openLog } from './rig.ts'

for (const mode of ['batch', 'best-effort'] as const) {
  t.test(`${mode}: many records share a sync, and closing keeps them all`, async (t) => {
    const folder = makeFolder(t)
    const { log } = await openLog(folder, { mode, rotateBytes: 5000 })
    for (let at = 0; at < 300; at += 1) {
      const intent = await log.intent({ id: `i-${at}` })
      await log.outcome(intent, { outcome: 'allowed' })
    }
    t.ok(log.stats().syncs < 300, `${log.stats().syncs} syncs`)
    await log.close()
    t.match(log.stats(), { records: 600, lost: 0, pending: 0 })
    t.match(await verifySegments(folder), { verdict: 'ok', openIntents: [] })
  })
}
