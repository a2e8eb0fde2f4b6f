import t from 'tap'
import { openPostgresGrants } from '../../../adapters/grants/postgres.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { MIGRATIONS } from '../../../adapters/postgres/schema.ts'
import { openPostgresUses } from '../../../adapters/uses/postgres.ts'
import { startCluster } from '../../helpers/postgres.ts'

const cluster = await startCluster(t)
if (cluster !== undefined) {
  await t.test('gateways that start at once make the schema once', async (t) => {
    for (let round = 0; round < 5; round += 1) {
      const url = await cluster.createDatabase()
      const opened = await Promise.all(
        Array.from({ length: 6 }, () => openDatabase({ url, connections: 1 })),
      )
      await Promise.all(opened.map((database) => database.close()))
      const versions = await cluster.run(url, 'SELECT version FROM narrowgate.migrations')
      t.same(
        versions.map(({ version }) => version),
        MIGRATIONS.map((_, at) => at + 1),
      )
    }
  })

  await t.test('a schema of a newer version is left alone', async (t) => {
    const url = await cluster.createDatabase()
    await (await openDatabase({ url, connections: 1 })).close()
    await cluster.run(url, 'INSERT INTO narrowgate.migrations (version) VALUES (99)')
    await t.rejects(
      openDatabase({ url, connections: 1 }),
      new RegExp(`version \`99\`, and this gateway knows ${MIGRATIONS.length}`),
    )
  })

  await t.test('a user who may not create serves where the schema stands', async (t) => {
    const url = await cluster.createDatabase()
    await (await openDatabase({ url, connections: 1 })).close()
    await cluster.run(
      url,
      `CREATE USER serving; GRANT USAGE ON SCHEMA narrowgate TO serving;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA narrowgate TO serving;
       GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA narrowgate TO serving`,
    )
    const serving = url.replace('user=postgres', 'user=serving')
    const database = await openDatabase({ url: serving, connections: 1 })
    const grants = await openPostgresGrants({ database })
    await grants.recordMinted({ id: 'g', lines: ['tools = A'], minted: '', by: 'test' })
    await grants.leash('g', ['tools = B'], { by: 'test', now: 0 })
    t.equal(await grants.revoke('g', 'test', 0), true)
    grants.saw({ id: 'g', links: ['a', 'b', 'c'], lines: ['tools = A', 'uses <= 1'] }, 0)
    t.equal((await grants.get('g'))?.children.length, 1)
    await (await grants.takeOutbox()).settle()
    const uses = openPostgresUses({ database })
    const taken = await uses.reserve([{ link: 'c', limit: 1 }])
    if (taken.ok) await uses.giveBack(taken.reservation)
    t.same(await uses.read(['c']), new Map([['c', 0]]))
    await grants.close()
    await database.close()
    const empty = (await cluster.createDatabase()).replace('user=postgres', 'user=serving')
    await t.rejects(openDatabase({ url: empty, connections: 1 }), /permission denied/)
  })

  await t.test('nothing is put into a statement: odd texts are texts', async (t) => {
    const database = await openDatabase({ url: await cluster.createDatabase(), connections: 1 })
    t.teardown(() => database.close())
    for (const odd of [`'; DROP SCHEMA narrowgate CASCADE; --`, '$1', '\\', '"', '𝔘ñï', ''])
      t.same(await database.query('SELECT $1::text AS same', [odd]), [{ same: odd }])
    t.same(await database.query('SELECT $1::text AS same', [null]), [{ same: null }])
  })
}
