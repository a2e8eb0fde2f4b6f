import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { startGateway } from '../../gateway/main.ts'
import { killInDelivery, webhookIds } from './_exports.ts'
import { decode } from '../adapters/exports/otlp-proto.ts'
import { openCollector, type Collector } from '../adapters/exports/rig.ts'
import { ENV, eventually, flowIn, prepare } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'
import { metricOf } from '../helpers/records.ts'
import { feedOf } from '../helpers/schemas.ts'
import { SHAPES } from '../helpers/shapes.ts'

/** A canary: whoever has it has looked where nobody may. */
const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS13ZWJob29rLTAxMjM0NTY3'
const AUTHORIZATION = 'Bearer 0f-the-c0llect0r-4711'

const printing = (text: string) => ({ command: ['printf', '%s', text] })

interface Logs {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly { readonly logRecords: readonly object[] }[]
  }[]
}

function logsIn({ taken }: Collector): readonly object[] {
  return taken
    .map(({ body }) => decode('ExportLogsServiceRequest', body) as unknown as Logs)
    .flatMap(({ resourceLogs }) => resourceLogs)
    .flatMap(({ scopeLogs }) => scopeLogs)
    .flatMap(({ logRecords }) => logRecords)
}

t.test('all sinks get all that the feed has', async (t) => {
  const hook = await openCollector(t)
  const logs = await openCollector(t)
  const authorization = printing(AUTHORIZATION)
  const exports = [
    { name: 'hook', type: 'webhook', url: hook.url, secret: printing(SECRET), authorization },
    { name: 'logs', type: 'otlp', url: logs.url, authorization, format: 'ocsf' },
    { name: 'lake', type: 'files', folder: './lake', max_seconds: 1 },
  ]
  await flowIn(t, { config: { ledger: { exports } } }, async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) await gateway.ask(shape, { token })
    const folder = join(gateway.state, '..', 'lake')
    const idle = async () => {
      const { body } = await askOwner(gateway, 'GET', '/api/status')
      const rows = body['exports'] as readonly {
        readonly backlog: number
        readonly position: number
      }[]
      return (
        rows.length === 3 &&
        rows.every(({ backlog, position }) => backlog === 0 && position > SHAPES.length)
      )
    }
    t.ok(await eventually(idle, 20_000))
    const ids = (await feedOf(gateway)).map(({ id }) => id)
    t.same(webhookIds(hook).slice(0, ids.length), ids)
    t.ok(logsIn(logs).length >= ids.length)
    const lines = readdirSync(folder)
      .toSorted()
      .flatMap((name) =>
        gunzipSync(readFileSync(join(folder, name)))
          .toString()
          .trim()
          .split('\n'),
      )
    t.same(
      lines.map((line) => (JSON.parse(line) as { readonly id: string }).id).slice(0, ids.length),
      ids,
    )
    const [first] = hook.taken
    if (first === undefined) throw new Error('nothing came')
    const { headers, body } = first
    t.equal(headers['authorization'], AUTHORIZATION)
    const hmac = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
    hmac.update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`)
    t.equal(headers['webhook-signature'], `v1,${hmac.update(body).digest('base64')}`)
    const metrics = await gateway.metrics()
    t.match(metrics, /^narrowgate_export_backlog\{sink="hook"\} 0$/m)
    t.ok(metricOf(metrics, 'narrowgate_export_delivered_total', 'sink="logs"') >= ids.length)
    t.equal(metricOf(metrics, 'narrowgate_export_failures_total'), 0)
    const seen = [
      metrics,
      JSON.stringify(await askOwner(gateway, 'GET', '/api/status')),
      ...['hook', 'logs', 'lake'].map((name) =>
        readFileSync(join(gateway.state, 'exports', `${name}.json`), 'utf8'),
      ),
      JSON.stringify(gateway.records()),
      ...hook.taken.map(({ body }) => body.toString()),
      ...logs.taken.map(({ body }) => body.toString('latin1')),
    ].join('\n')
    t.notOk(seen.includes(SECRET.slice(6)) || seen.includes('c0llect0r'), 'no secret is seen')
  })
})

killInDelivery(1)

t.test('a collector that never answers holds up no call, and no stop', async (t) => {
  const collector = await openCollector(t)
  collector.be({ kind: 'frozen' })
  const exports = [{ name: 'hook', type: 'webhook', url: collector.url }]
  await flowIn(t, { config: { ledger: { exports } } }, async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    for (const shape of SHAPES) t.equal((await gateway.ask(shape, { token })).status, 200, shape)
    const backlog = async () =>
      metricOf(await gateway.metrics(), 'narrowgate_export_backlog', 'sink="hook"')
    t.ok(await eventually(async () => (await backlog()) >= SHAPES.length))
    t.ok(await eventually(() => collector.asked() > 0))
  })
})

t.test('a cursor that is damaged is a problem of the start', async (t) => {
  const exports = [{ name: 'lake', type: 'files', folder: './lake' }]
  const place = await prepare(t, { config: { ledger: { exports } } })
  const { configFile, state, folder: cwd } = place
  const start = () => startGateway({ configFile, state, cwd, log: 'silent', env: ENV })
  await (await start()).stop()
  writeFileSync(join(state, 'exports', 'lake.json'), 'x')
  await t.rejects(start(), { message: /lake\.json: it is damaged; delete it/ })
})
