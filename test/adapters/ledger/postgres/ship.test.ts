import { rmSync, truncateSync } from 'node:fs'
import t from 'tap'
import { beginning } from '../../../../adapters/ledger/index/follow.ts'
import { readBatch } from '../../../../adapters/ledger/postgres/batch.ts'
import { nameDatabase } from '../../../../adapters/postgres/database.ts'
import { startCluster } from '../../../helpers/postgres.ts'
import { segmentFiles } from '../rig.ts'
import { addMany, assertWhole, openGateway, openPostgres, storedIn } from './rig.ts'

t.test('a log in PostgreSQL', async (t) => {
  const cluster = await startCluster(t)
  if (cluster === undefined) return

  await t.test(
    'a log is taken over, open exchanges are closed later, events among them',
    async (t) => {
      const url = await cluster.createDatabase()
      const { log, index } = await openGateway(t, url)
      const open = await log.intent({
        id: 'slow',
        tool: 'HTTP_GET',
        opened: '2026-01-01T00:00:00Z',
      })
      await log.event({ event: 'grant_minted', subject: 'g', actor: 'owner' })
      await addMany(log, 'T', 1200)
      await index.sync()
      t.match(await index.get('slow'), { seq: 1, outcome: 'open' })
      t.strictSame(await index.counts({}), { open: 1, allowed: 1200 })
      await log.outcome(open, { outcome: 'allowed', status: 200, timing: { upstream: 1.5 } })
      await log.outcome(open, { outcome: 'failed', status: 500 })
      await index.sync()
      t.match(await index.get('slow'), {
        seq: 1,
        outcome: 'allowed',
        status: 200,
        tool: 'HTTP_GET',
      })
      t.match(await index.events({}), [{ seq: 2, event: 'grant_minted' }])
      t.equal(index.lag(), 0)
      t.equal(await index.last(), 1202)
      const [row] = await cluster.run(
        url,
        `SELECT opened::text, status, upstream_ms::float8, noise, lag::int FROM narrowgate.exchanges_v1 WHERE id = 'slow'`,
      )
      t.strictSame(row, {
        opened: '2026-01-01 00:00:00+00',
        status: 200,
        upstream_ms: 1.5,
        noise: false,
        lag: 0,
      })
    },
  )

  await t.test('a restart goes on where it was, and takes nothing over twice', async (t) => {
    const url = await cluster.createDatabase()
    const first = await openGateway(t, url)
    await addMany(first.log, 'first', 600)
    await first.index.sync()
    await first.close()
    await addMany(first.log, 'second', 600)
    const again = openPostgres(t, { url, folder: first.folder, log: first.log })
    await again.index.sync()
    assertWhole(t, await storedIn(cluster, url), 1200)
  })

  await t.test(
    'a log that lost what was taken over, or whose chain breaks, is told and taken over no further',
    async (t) => {
      await t.test('cut', async (t) => {
        const url = await cluster.createDatabase()
        const first = await openGateway(t, url)
        await addMany(first.log, 'first', 10)
        await first.index.sync()
        await first.close()
        await first.log.close()
        const [file] = segmentFiles(first.folder)
        truncateSync(String(file), 600)
        const again = openPostgres(t, { url, folder: first.folder })
        await again.index.sync()
        t.match(again.faults, [/no longer holds what was taken over/])
        assertWhole(t, await storedIn(cluster, url), 10)
      })
      await t.test('gone', async (t) => {
        const url = await cluster.createDatabase()
        const first = await openGateway(t, url)
        await addMany(first.log, 'first', 10)
        await first.index.sync()
        await first.close()
        await first.log.close()
        for (const file of segmentFiles(first.folder)) rmSync(file)
        const again = openPostgres(t, { url, folder: first.folder })
        await again.index.sync()
        t.match(again.faults, [/no longer holds what was taken over/])
        assertWhole(t, await storedIn(cluster, url), 10)
      })
    },
  )

  await t.test('a batch that comes twice changes nothing the second time', async (t) => {
    const url = await cluster.createDatabase()
    const { folder, log, index, close } = await openGateway(t, url)
    await index.sync()
    await close()
    await addMany(log, 'T', 20)
    const database = nameDatabase({ url, connections: 1 })
    t.teardown(() => database.close())
    const batch = readBatch(folder, beginning(log.head().writer), Infinity)
    const send = async () => {
      const [row] = await database.query<{ n: string }>(
        'SELECT narrowgate.ship($1, 0, $2::text::json, $3::text::json, $4::text::json, $5::text::json) AS n',
        [
          log.head().writer,
          JSON.stringify({ ...batch?.position, head: 45 }),
          batch?.opened ?? '',
          batch?.closed ?? '',
          batch?.events ?? '',
        ],
      )
      return Number(row?.n)
    }
    t.same([await send(), await send(), await send()], [40, 40, 40])
    assertWhole(t, await storedIn(cluster, url), 20)
    const [last] = await cluster.run(url, 'SELECT last::int FROM narrowgate.ledger_sequence')
    t.strictSame(last, { last: 20 }, 'no number was taken twice')
    const [row] = await cluster.run(url, 'SELECT max(lag)::int AS lag FROM narrowgate.exchanges_v1')
    t.strictSame(row, { lag: 5 }, 'durable records that are not there are a column')
  })

  await t.test('of two outcomes in one batch the first stands', async (t) => {
    const { log, index } = await openGateway(t, await cluster.createDatabase())
    const both = await log.intent({ id: 'both' })
    await log.outcome(both, { outcome: 'allowed', status: 200 })
    await log.outcome(both, { outcome: 'failed', status: 502 })
    await index.sync()
    t.match(await index.get('both'), { outcome: 'allowed', status: 200 })
    t.strictSame(await index.counts({}), { allowed: 1 })
  })
})
