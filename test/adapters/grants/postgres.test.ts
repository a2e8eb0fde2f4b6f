import t from 'tap'
import { openPostgresGrants } from '../../../adapters/grants/postgres.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { testGrants } from '../../conformance/grants.ts'
import { startCluster } from '../../helpers/postgres.ts'

const cluster = await startCluster(t)
if (cluster !== undefined) {
  testGrants(t, async (t) => {
    const url = await cluster.createDatabase()
    return async () => {
      const database = await openDatabase({ url, connections: 2 })
      const grants = await openPostgresGrants({ database })
      t.teardown(async () => {
        await grants.close()
        await database.close()
      })
      return grants
    }
  })

  await t.test(
    'of many gateways one takes an event, and another where that one ended',
    async (t) => {
      const url = await cluster.createDatabase()
      const open = async () => {
        const database = await openDatabase({ url, connections: 2 })
        const grants = await openPostgresGrants({ database })
        t.teardown(async () => {
          await grants.close()
          await database.close()
        })
        return grants
      }
      const [first, second] = await Promise.all([open(), open()])
      const names = Array.from({ length: 40 }, (_, at) => `g${at}`)
      await Promise.all(names.map((name) => first.revoke(name, 'owner', 0)))
      const taken = await Promise.all(
        [first, second, first, second].map((each) => each.takeOutbox()),
      )
      const subjects = taken.flatMap(({ events }) => events.map(({ subject }) => subject))
      t.same(subjects.toSorted(), names.toSorted(), 'each event once')
      t.same((await second.takeOutbox()).events, [], 'what is taken is left alone')
      await cluster.run(url, `UPDATE narrowgate.outbox SET taken = now() - interval '1 minute'`)
      const again = await second.takeOutbox()
      t.equal(again.events.length, names.length, 'the taker ended before it settled')
      await again.settle()
      t.same(await cluster.run(url, 'SELECT * FROM narrowgate.outbox'), [])
    },
  )
}
