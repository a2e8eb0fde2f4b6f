import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { run } from '../cli/in-process.ts'
import { startChild, type ChildGateway } from '../helpers/child.ts'
import { eventually, flowIn, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'
import { startCluster } from '../helpers/postgres.ts'
import { metricOf } from '../helpers/records.ts'
import { askIn, SHAPES } from '../helpers/shapes.ts'

const ENV = 'LEDGER_URL'

function indexIn(source: object): Setup {
  return { config: { ledger: { index: { driver: 'postgres', url: source } } } }
}

/** A gateway of this process, whose index lies in the database. */
function setup(t: Test, url: string): Setup {
  const file = join(t.testdir(), 'ledger.url')
  writeFileSync(file, url, { mode: 0o600 })
  return indexIn({ file })
}

async function callAll(t: Test, gateway: TestGateway): Promise<number> {
  const token = gateway.mint('tools = HTTP_*')
  const begun = performance.now()
  for (const shape of SHAPES) t.equal((await gateway.ask(shape, { token })).status, 200, shape)
  return performance.now() - begun
}

function ask(gateway: TestGateway, path: string) {
  return askOwner(gateway, 'GET', `/api/ledger/${path}`)
}

async function lag(gateway: TestGateway): Promise<number> {
  return metricOf(await gateway.metrics(), 'narrowgate_ledger_lag_records')
}

t.test('gateways whose index is a database', async (t) => {
  const cluster = await startCluster(t)
  if (cluster === undefined) return

  await t.test(
    'calls go on while it is stopped or frozen, and it has them all afterwards',
    async (t) => {
      await flowIn(t, setup(t, await cluster.createDatabase()), async (t, gateway) => {
        await callAll(t, gateway)
        const count = 'exchanges?shape=count'
        t.match(await ask(gateway, count), { body: { figures: { count: SHAPES.length }, lag: 0 } })
        await cluster.stop()
        t.ok((await callAll(t, gateway)) < 5000, 'calls go on')
        t.match(await ask(gateway, count), {
          status: 503,
          body: { code: 'index_unavailable', reasons: [{ got: /^database `db\d`/ }] },
        })
        t.ok((await lag(gateway)) >= 2 * SHAPES.length, 'the backlog is a metric')
        await cluster.start()
        t.ok(await eventually(async () => (await lag(gateway)) === 0, 15_000), 'it is drained')
        cluster.signal('SIGSTOP')
        t.ok((await callAll(t, gateway)) < 5000, 'calls go on')
        const begun = performance.now()
        t.match(await ask(gateway, count), { status: 503, body: { code: 'index_unavailable' } })
        t.ok(performance.now() - begun < 15_000, 'a question has a deadline')
        cluster.signal('SIGCONT')
        t.ok(await eventually(async () => (await lag(gateway)) === 0, 20_000), 'it is drained')
        t.match(await ask(gateway, count), { body: { figures: { count: 3 * SHAPES.length } } })
      })
    },
  )

  await t.test('each answers for all, and the command line too', async (t) => {
    const env = { [ENV]: await cluster.createDatabase() }
    const gateways = await Promise.all(
      [1, 2].map(() => startChild(t, indexIn({ env: ENV }), { env })),
    )
    for (const gateway of gateways) {
      const token = gateway.mint('tools = HTTP_*')
      t.equal((await askIn('absolute', gateway, { token })).status, 200)
    }
    const both = async ({ state, ownerPort }: ChildGateway) => {
      const gateway = { addresses: { owner: `127.0.0.1:${ownerPort}` } }
      const { body } = await askOwner({ state, gateway }, 'GET', '/api/ledger/exchanges?select=seq')
      return body['rows']
    }
    for (const gateway of gateways)
      t.ok(
        await eventually(async () => ((await both(gateway)) as unknown[]).length === 2),
        'it has both',
      )
    const [first] = gateways
    if (first === undefined) return
    const list = async () => {
      const args = ['ledger', 'list', '--json', '--config', first.configFile]
      const { exit, stdout, stderr } = await run([...args, '--state', first.state], { env })
      t.equal(exit, 0, stderr)
      return (JSON.parse(stdout) as unknown[]).length
    }
    t.equal(await list(), 2, 'beside the gateway')
    await first.stop()
    t.equal(await list(), 2, 'without it')
  })
})
