import t from 'tap'
import { verifySegments } from '../../../adapters/ledger/verify.ts'
import { makeFolder, openLog, recordsOf } from './rig.ts'

t.test('fifty callers share syncs and keep one chain', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder, { rotateBytes: 100_000 })
  const caller = async (name: number): Promise<void> => {
    for (let at = 0; at < 20; at += 1) {
      const intent = await log.intent({ id: `${name}-${at}`, text: 'ä'.repeat(at) })
      await log.outcome(intent, { outcome: 'allowed', of: `${name}-${at}` })
    }
  }
  await Promise.all(Array.from({ length: 50 }, (_, name) => caller(name)))
  const { records, syncs } = log.stats()
  const head = log.head()
  await log.close()
  t.equal(records, 2000)
  t.ok(syncs < 1000, `${syncs} syncs for 2000 records`)
  const { verdict, openIntents } = await verifySegments(folder, { heads: [head] })
  t.equal(verdict, 'ok')
  t.same(openIntents, [])
  const byNumber = new Map(recordsOf(folder).map((record) => [record.n, record]))
  const outcomes = recordsOf(folder).filter(({ kind }) => kind === 'outcome')
  t.ok(
    outcomes.every(({ intent, of }) => byNumber.get(intent)?.id === of),
    'every outcome names its own intent',
  )
})

t.test('records of every size go through', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder)
  await Promise.all(
    [1, 300_000, 2_000_000, 10].map((size) => log.refusal({ id: 'big', pad: 'é'.repeat(size) })),
  )
  await t.rejects(log.refusal({ pad: 'x'.repeat(17 * 1024 * 1024) }), RangeError)
  await log.close()
  t.match(await verifySegments(folder), { verdict: 'ok', records: 5 })
})
