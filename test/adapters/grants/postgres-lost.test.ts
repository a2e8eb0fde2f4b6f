import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openPostgresGrants } from '../../../adapters/grants/postgres.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { eventually } from '../../helpers/gateway.ts'
import { startCluster, type Cluster } from '../../helpers/postgres.ts'

const POLL_MS = 100
const STALE_MS = 400
const ROUNDS = 10

async function open(t: Test, url: string) {
  const database = await openDatabase({ url, connections: 1 })
  const grants = await openPostgresGrants({ database, pollMs: POLL_MS, staleMs: STALE_MS })
  t.teardown(async () => {
    await grants.close()
    await database.close()
  })
  let count = 0
  return {
    grants,
    /** Revokes without an announcement, as if it were lost, and gives the name. */
    async revokeSilently() {
      const name = `silent-${(count += 1)}`
      await database.query(
        `INSERT INTO narrowgate.revocations VALUES ($1::text, nextval('narrowgate.change'), '', '')`,
        [name],
      )
      return name
    },
  }
}

/** How many of ten silent revocations a call that comes right after them sees. */
async function seenAtOnce({ grants, revokeSilently }: Awaited<ReturnType<typeof open>>) {
  let seen = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = await revokeSilently()
    await grants.fresh()
    if (grants.revoked(name, []) === name) seen += 1
  }
  return seen
}

const listeners = (cluster: Cluster, url: string) =>
  cluster.run(
    url.replace(/\/db\d+/, '/postgres'),
    `SELECT pid FROM pg_stat_activity WHERE datname = '${url.match(/db\d+/)?.[0]}' AND query LIKE 'LISTEN%'`,
  )

const rejects = (work: Promise<void>) =>
  work.then(
    () => false,
    () => true,
  )

const cluster = await startCluster(t)
if (cluster !== undefined) {
  await t.test('without announcements every call reads for itself', async (t) => {
    const url = await cluster.createDatabase()
    const opened = await open(t, url)
    t.ok(await eventually(async () => (await listeners(cluster, url)).length === 1))
    t.ok((await seenAtOnce(opened)) < ROUNDS, 'while they are heard, memory answers')

    // Nobody new gets in, so that the channel stays lost; the connection for statements stays.
    const name = url.match(/db\d+/)?.[0]
    const admin = url.replace(/\/db\d+/, '/postgres')
    await cluster.run(admin, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    const [listener] = await listeners(cluster, url)
    await cluster.run(admin, `SELECT pg_terminate_backend(${Number(listener?.['pid'])})`)
    await delay(STALE_MS * 2)
    t.equal(await seenAtOnce(opened), ROUNDS, 'now each call looks')

    await cluster.run(admin, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
    t.ok(await eventually(async () => (await listeners(cluster, url)).length === 1), 'heard again')
    t.ok(await eventually(async () => (await seenAtOnce(opened)) < ROUNDS))
  })

  await t.test('a change whose announcement was lost is found all the same', async (t) => {
    const { grants, revokeSilently } = await open(t, await cluster.createDatabase())
    const name = await revokeSilently()
    t.ok(await eventually(() => grants.revoked(name, []) === name, 1000))
  })

  await t.test('without the database nothing is known, until it is back', async (t) => {
    const { grants } = await open(t, await cluster.createDatabase())
    await grants.revoke('before', 'owner', 0)
    await cluster.stop()
    t.ok(await eventually(() => rejects(grants.fresh())))
    t.equal(grants.ready(), false)
    const silent = () => {
      try {
        return grants.revoked('before', []) === undefined
      } catch {
        return true
      }
    }
    t.ok(await eventually(silent), 'what is open must end as well')
    await cluster.start()
    t.ok(await eventually(async () => !(await rejects(grants.fresh()))), 'it comes back by itself')
    t.equal(grants.revoked('before', []), 'before')
    t.equal(grants.ready(), true)
    let told = 0
    grants.onChange(() => (told += 1))
    await grants.revoke('after', 'owner', 0)
    t.equal(grants.revoked('after', []), 'after')
    t.equal(told, 1)
  })

  await t.test('a database that hangs is as good as none', async (t) => {
    const { grants } = await open(t, await cluster.createDatabase())
    t.teardown(() => cluster.signal('SIGCONT'))
    cluster.signal('SIGSTOP')
    t.ok(await eventually(() => rejects(grants.fresh())), 'a call is not left waiting')
    cluster.signal('SIGCONT')
    t.ok(await eventually(async () => !(await rejects(grants.fresh()))), 'it comes back by itself')
  })

  await t.test('a database that was set back hides nothing', async (t) => {
    const url = await cluster.createDatabase()
    const { grants, revokeSilently } = await open(t, url)
    for (let at = 0; at < 5; at += 1) await revokeSilently()
    t.ok(await eventually(() => grants.revoked('silent-5', []) !== undefined))
    await cluster.run(
      url,
      `BEGIN; DELETE FROM narrowgate.revocations; ALTER SEQUENCE narrowgate.change RESTART;
       INSERT INTO narrowgate.revocations VALUES ('low', nextval('narrowgate.change'), '', ''); COMMIT`,
    )
    t.ok(await eventually(() => grants.revoked('low', []) === 'low'))
  })
}
