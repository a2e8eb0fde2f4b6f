import t from 'tap'
import { startCluster } from '../../../helpers/postgres.ts'
import { openHome, record } from '../ingest/rig.ts'
import { addMany, assertWhole, openGateway, openPostgres, storedIn } from './rig.ts'

t.test('logs that share a database', async (t) => {
  const cluster = await startCluster(t)
  if (cluster === undefined) return

  await t.test(
    'two gateways write at once: readers never see a number before those below it',
    async (t) => {
      const url = await cluster.createDatabase()
      const one = await openGateway(t, url)
      const two = await openGateway(t, url)
      await one.index.sync()
      let done = false
      const gaps: string[] = []
      const watching = (async () => {
        while (!done) {
          const [row] = await cluster.run(
            url,
            'SELECT count(*)::int AS count, coalesce(max(seq), 0)::int AS max FROM narrowgate.exchanges',
          )
          if (row?.['count'] !== row?.['max']) gaps.push(JSON.stringify(row))
        }
      })()
      for (let round = 0; round < 5; round++) {
        await Promise.all([
          addMany(one.log, `one-${round}`, 300),
          addMany(two.log, `two-${round}`, 300),
        ])
        await Promise.all([one.index.sync(), two.index.sync()])
      }
      done = true
      await watching
      t.strictSame(gaps, [])
      assertWhole(t, await storedIn(cluster, url), 3000)
      t.equal((await two.index.list({ where: { task: 'one-3' }, limit: 1000 })).length, 300)
    },
  )

  await t.test('who finds that another took over more goes on from there', async (t) => {
    const url = await cluster.createDatabase()
    const first = await openGateway(t, url)
    const { folder, log } = first
    await first.index.sync()
    const other = openPostgres(t, { url, folder })
    await other.index.sync()
    await addMany(log, 'first', 50)
    await first.index.sync()
    await first.close()
    await addMany(log, 'second', 450)
    await other.index.sync()
    assertWhole(t, await storedIn(cluster, url), 500)
  })

  await t.test('a recorder that sends its log to two gateways is there once', async (t) => {
    const url = await cluster.createDatabase()
    const [lines = [], more = []] = await record(t, 6, { rotateBytes: 700 })
    const [one, two] = [await openHome(t), await openHome(t)]
    const indexes = [one, two].map(({ folder, log }) => openPostgres(t, { url, folder, log }))
    const sync = async () => {
      for (const { index } of indexes) await index.sync()
    }
    await one.take(lines)
    await two.take(lines.slice(0, 3))
    await sync()
    await two.take([...lines, ...more])
    await sync()
    await one.take(more)
    await sync()
    for (const { faults, states } of indexes) t.same([...faults, ...states], [])
    const rows = await cluster.run(url, 'SELECT id FROM narrowgate.exchanges')
    const sent = [...lines, ...more].filter((line) => line.includes('"kind":"intent"')).length
    t.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'each once')
    t.equal(rows.length, sent)
  })
})
