import t, { type Test } from 'tap'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import type { Database } from '../../../adapters/postgres/port.ts'
import { openPostgresUses } from '../../../adapters/uses/postgres.ts'
import { testUseCounters } from '../../conformance/uses.ts'
import { eventually } from '../../helpers/gateway.ts'
import { startCluster } from '../../helpers/postgres.ts'

const cluster = await startCluster(t)
if (cluster !== undefined) {
  testUseCounters(t, async (t) => {
    const database = await openDatabase({ url: await cluster.createDatabase(), connections: 4 })
    t.teardown(() => database.close())
    return openPostgresUses({ database })
  })

  const open = async (t: Test, url: string) => {
    const database = await openDatabase({ url, connections: 4 })
    t.teardown(() => database.close())
    return openPostgresUses({ database })
  }

  await t.test(
    'two gateways at once, a tree of chains, uses given back: never one too many',
    async (t) => {
      const url = await cluster.createDatabase()
      const gateways = [await open(t, url), await open(t, url)]
      const line = (link: string, limit: number) => ({ link, limit })
      const chains = [
        [line('root', 20)],
        [line('root', 20), line('left', 7)],
        [line('root', 20), line('left', 7), line('deep', 3)],
        // The same counters in another order: no two chains may wait for each other.
        [line('right', 9), line('root', 20)],
      ]
      let held = 0
      let most = 0
      await Promise.all(
        Array.from({ length: 400 }, async (_, at) => {
          const uses = gateways[at % 2]
          const answer = await uses?.reserve(chains[at % chains.length] ?? [])
          if (!answer?.ok) return
          held += 1
          most = Math.max(most, held)
          if (at % 3 !== 0) return
          held -= 1
          await uses?.giveBack(answer.reservation)
        }),
      )
      t.ok(most <= 20, `${most} at once`)
      const used = await gateways[0]?.read(['root', 'left', 'deep', 'right'])
      t.equal(used?.get('root'), held, 'what is counted is what was kept')
      t.ok((used?.get('left') ?? 0) <= 7 && (used?.get('deep') ?? 0) <= 3)
      t.ok((used?.get('right') ?? 0) <= 9)
    },
  )

  await t.test('calls that wait together cost few statements', async (t) => {
    const url = await cluster.createDatabase()
    const database = await openDatabase({ url, connections: 4 })
    t.teardown(() => database.close())
    let statements = 0
    const counting = {
      query: ((text, values) => {
        statements += 1
        return database.query(text, values)
      }) satisfies Database['query'] as Database['query'],
    }
    const uses = openPostgresUses({ database: counting })
    const calls = Array.from({ length: 500 }, () => uses.reserve([{ link: 'hot', limit: 450 }]))
    const answers = await Promise.all(calls)
    t.equal(answers.filter(({ ok }) => ok).length, 450)
    t.ok(statements < 10, `${statements} statements`)
    t.same(answers.at(-1), { ok: false, spent: [{ link: 'hot', limit: 450, used: 450 }] })
  })

  await t.test(
    'a counter goes an hour after its tokens, by the clock of the database',
    async (t) => {
      const url = await cluster.createDatabase()
      const first = await open(t, url)
      const now = Date.now
      const expires = (minutes: number) => now() + minutes * 60_000
      await first.reserve([
        { link: 'ended', limit: 3, expires: expires(-61) },
        { link: 'just ended', limit: 3, expires: expires(-55) },
        { link: 'ends', limit: 3, expires: expires(600) },
        { link: 'stays', limit: 3 },
      ])
      const ahead = await open(t, url)
      Date.now = () => now() + 86_400_000
      t.teardown(() => (Date.now = now))
      await ahead.reserve([{ link: 'other', limit: 3 }])
      t.ok(await eventually(async () => (await first.read(['ended'])).size === 0))
      t.same(
        [...(await first.read(['just ended', 'ends', 'stays'])).keys()].toSorted(),
        ['ends', 'just ended', 'stays'],
        'a gateway whose clock is ahead takes no counter away from the others',
      )
    },
  )

  await t.test('counters that do not answer let nothing through, and say so', async (t) => {
    const url = await cluster.createDatabase()
    const uses = await open(t, url)
    const reserve = () => uses.reserve([{ link: 'a', limit: 5 }])
    t.equal((await reserve()).ok, true)
    const blocking = cluster.run(
      url,
      'BEGIN; LOCK TABLE narrowgate.uses; SELECT pg_sleep(3); COMMIT',
    )
    await eventually(async () => {
      const rows = await cluster.run(url, `SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock'`)
      return rows.length > 0
    })
    await t.rejects(reserve(), { code: 'uses_unavailable', message: /statement timeout/ })
    await blocking
    t.equal((await reserve()).ok, true)
    t.equal((await uses.read(['a'])).get('a'), 2, 'what was refused took nothing')
  })
}
