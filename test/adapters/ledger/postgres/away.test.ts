import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { SegmentLog } from '../../../../adapters/ledger/segment/log.ts'
import { eventually } from '../../../helpers/gateway.ts'
import { startCluster } from '../../../helpers/postgres.ts'
import { addExchange } from '../index/rig.ts'
import { addMany, assertWhole, openGateway, storedIn } from './rig.ts'

/** How long a record takes to be durable while the database is away. */
async function slowestCall(log: SegmentLog): Promise<number> {
  let slowest = 0
  for (let at = 0; at < 20; at++) {
    const begun = performance.now()
    await addExchange(log, { id: `away-${at}`, task: 'away' })
    slowest = Math.max(slowest, performance.now() - begun)
  }
  return slowest
}

t.test('a log whose database goes away', async (t) => {
  const cluster = await startCluster(t)
  if (cluster === undefined) return

  await t.test(
    'the database stops and comes back: nothing waits, nothing is lost or doubled',
    async (t) => {
      const url = await cluster.createDatabase()
      const { log, index, states } = await openGateway(t, url)
      await addMany(log, 'before', 50)
      await index.sync()
      await cluster.stop()
      t.ok((await slowestCall(log)) < 1000, 'calls go on')
      await t.rejects(index.sync(), /database `db\d`/)
      await t.rejects(index.get('before-0'))
      t.equal(index.lag(), 40)
      t.strictSame(states, ['lost'])
      await cluster.start()
      t.ok(await eventually(async () => index.lag() === 0, 15_000), 'it drains by itself')
      assertWhole(t, await storedIn(cluster, url), 70)
      t.strictSame(states, ['lost', 'back'])
    },
  )

  await t.test(
    'the database freezes: every write has a deadline, and its late answer does no harm',
    async (t) => {
      const url = await cluster.createDatabase()
      const { log, index } = await openGateway(t, url)
      await addMany(log, 'before', 50)
      await index.sync()
      cluster.signal('SIGSTOP')
      const begun = performance.now()
      t.ok((await slowestCall(log)) < 1000, 'calls go on')
      await t.rejects(index.sync())
      t.ok(performance.now() - begun < 6000, 'the write is given up')
      t.ok(index.lag() > 0)
      cluster.signal('SIGCONT')
      t.ok(await eventually(async () => index.lag() === 0, 20_000), 'it drains by itself')
      assertWhole(t, await storedIn(cluster, url), 70)
    },
  )

  await t.test('the server is killed in the middle of inserts, again and again', async (t) => {
    const url = await cluster.createDatabase()
    const { log, index } = await openGateway(t, url)
    await index.sync()
    const rounds = 4
    for (let round = 0; round < rounds; round++) {
      const writing = addMany(log, `r${round}`, 1500)
      const shipping = index.sync().catch(() => undefined)
      await delay(40 + 60 * round)
      await cluster.stop()
      await Promise.all([writing, shipping])
      await cluster.start()
    }
    t.ok(
      await eventually(
        () =>
          index.sync().then(
            () => true,
            () => false,
          ),
        20_000,
      ),
    )
    const stored = await storedIn(cluster, url)
    assertWhole(t, stored, rounds * 1500)
    t.strictSame(await index.counts({}), { allowed: rounds * 1500 })
  })

  await t.test('a gateway starts while the database is away', async (t) => {
    const url = await cluster.createDatabase()
    await cluster.stop()
    const { log, index } = await openGateway(t, url)
    await addMany(log, 'early', 30)
    t.equal(index.lag(), 60)
    await cluster.start()
    t.ok(await eventually(async () => index.lag() === 0, 15_000))
    assertWhole(t, await storedIn(cluster, url), 30)
  })
})
