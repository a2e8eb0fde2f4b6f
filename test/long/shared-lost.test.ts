import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { eventually, read } from '../helpers/gateway.ts'
import { startCluster, type Cluster } from '../helpers/postgres.ts'
import { assertAccounts } from '../helpers/records.ts'
import { askIn, SHAPES } from '../helpers/shapes.ts'
import { startShared } from '../helpers/shared.ts'

const ROUNDS = 5

const adminOf = (url: string) => url.replace(/\/db\d+/, '/postgres')

async function allowConnections(cluster: Cluster, url: string, allowed: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await cluster.run(adminOf(url), `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`)
}

/** Ends the connection that listens, and lets no new one in; those for statements stay. */
async function silenceChannel(cluster: Cluster, url: string): Promise<void> {
  await allowConnections(cluster, url, false)
  await cluster.run(
    adminOf(url),
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`,
  )
}

const cluster = await startCluster(t)
if (cluster !== undefined)
  // About twenty seconds: a process of its own, and a database that goes and comes back.
  await t.test('a gateway whose database of grants is gone', async (t) => {
    const url = await cluster.createDatabase()
    const { gateways, mint } = await startShared(t, url, [{}])
    const [gateway] = gateways
    if (!gateway) throw new Error('one gateway was started')
    const { token } = mint('tools = HTTP_*')
    const { token: counted } = mint('tools = HTTP_*', 'uses <= 50')
    const ask = (text: string) => askIn('absolute', gateway, { token: text })
    const readyz = () => read(gateway.proxyPort, '/readyz')
    t.equal((await ask(token)).status, 200)
    t.equal((await ask(counted)).status, 200)

    await t.test('announcements are lost: each call reads for itself', async (t) => {
      const silent = await openDatabase({ url, connections: 1 })
      t.teardown(() => silent.close())
      await silenceChannel(cluster, url)
      // Longer than grants.stale_ms.
      await delay(1500)
      const statuses: unknown[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id, token: fresh } = mint('tools = HTTP_*')
        await silent.query(
          `INSERT INTO narrowgate.revocations VALUES ($1::text, nextval('narrowgate.change'), '', '')`,
          [id],
        )
        statuses.push((await ask(fresh)).header('refused'))
      }
      t.same(statuses, Array.from({ length: ROUNDS }).fill('revoked'))
      await allowConnections(cluster, url, true)
    })

    await cluster.stop()
    const refused = async (text: string) => (await ask(text)).header('refused')
    t.ok(await eventually(async () => (await refused(token)) === 'revocation_unavailable'))
    for (const shape of SHAPES) {
      const got = await askIn(shape, gateway, { token: counted })
      t.same([got.status, got.header('refused')], [503, 'revocation_unavailable'], shape)
      t.match(JSON.parse(got.text), { ran: false, reasons: [{ axis: 'grant' }] })
      t.notMatch(got.text, 'GRANTS_URL')
    }
    t.ok(await eventually(async () => (await readyz()).includes('grants')), 'it is not ready')

    await cluster.start()
    t.ok(await eventually(async () => (await ask(token)).status === 200), 'it serves again')
    t.ok(await eventually(async () => (await ask(counted)).status === 200), 'and counts')
    t.match(JSON.parse(await readyz()), { ready: true })
    await assertAccounts(t, gateway.state, gateway.metrics)
  })
