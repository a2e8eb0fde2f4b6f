import type { Test } from 'tap'
import { createClient } from '../../client/index.ts'
import { flow, type TestGateway } from '../helpers/gateway.ts'
import { metricOf } from '../helpers/records.ts'
import { HOST, MOUNT } from '../helpers/shapes.ts'
import { CLIENT_SETUP } from '../client/_upstream.ts'

// Pages of any origin may use the holder's doors with a token, and nothing else of the gateway.

const ORIGIN = { origin: 'https://page.test' }
const PREFLIGHT = { ...ORIGIN, 'access-control-request-method': 'POST' }
const NAMES = { receipt: 'x-receipt', refused: 'x-refused', cursor: 'x-next', want: 'x-want' }
const EXPOSED = 'x-receipt, x-refused, projected, ledger-head, x-next, batch, retry-after'

interface Asked {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

async function ask({ proxyPort }: TestGateway, { path, ...asked }: Asked) {
  const { status, headers } = await fetch(`http://127.0.0.1:${proxyPort}${path}`, {
    headers: ORIGIN,
    ...asked,
  })
  const shared = [...headers].filter(([name]) => name.startsWith('access-control-'))
  return { status, headers, shared: Object.fromEntries(shared) }
}

const SETUP = {
  ...CLIENT_SETUP,
  config: {
    headers: NAMES,
    mounts: [{ prefix: MOUNT, to: `http://${HOST}` }],
  },
}

await flow('pages of other origins', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = *')
  const accepted = metricOf(await gateway.metrics(), 'narrowgate_requests_accepted_total')
  const doors = [
    '/g/run',
    `/g/${token}/run/NOTE?id=1`,
    '/g/batch',
    '/api/invoke-json',
    '/g/find?q=x',
    '/g/contracts/NOTE',
    '/ledger/exchanges/x.json',
    '/g/nothing',
  ]
  for (const path of doors) await mayBeAsked(t, gateway, path)
  t.equal(
    metricOf(await gateway.metrics(), 'narrowgate_requests_accepted_total'),
    accepted,
    'no call',
  )
  t.strictSame(await gateway.receipts(), [], 'and no receipt')
  await answersAll(t, gateway, token)
  await sharesNothingElse(t, gateway, token)
  const { proxyPort } = gateway
  const client = createClient({ url: `http://127.0.0.1:${proxyPort}`, token, headers: NAMES })
  t.match(await client.call('NOTES_LIST', {}, { page: { limit: 1 } }), {
    receipt: /-/,
    next: String,
  })
  await t.rejects(client.call('NOTE', { id: 1, more: 2 }), { name: 'Refused' })
})

async function mayBeAsked(t: Test, gateway: TestGateway, path: string): Promise<void> {
  const { status, shared } = await ask(gateway, { path, method: 'OPTIONS', headers: PREFLIGHT })
  t.equal(status, 204, path)
  t.strictSame(shared, {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization, content-type, x-want',
    'access-control-max-age': '600',
  })
}

/** Answers and refusals alike, by the names of the configuration; what the upstream said for its own pages is gone. */
async function answersAll(t: Test, gateway: TestGateway, token: string): Promise<void> {
  const headers = { ...ORIGIN, authorization: `Bearer ${token}` }
  const told = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED,
  }
  for (const [path, status] of [
    ['/g/tools', 200],
    [`/g/${token}/run/NOTE?id=foreign`, 200],
    ['/g/run/NOTE?id=foreign', 200],
    ['/g/run/NOTE?more=1', 400],
    ['/g/contracts/NOTHING', 404],
    ['/ledger/exchanges/x.json', 404],
    ['/g/nothing', 404],
  ] as const) {
    const answer = await ask(gateway, { path, headers })
    t.equal(answer.status, status, path)
    t.strictSame(answer.shared, told, path)
  }
  for (const path of ['/g/tools', '/ledger/exchanges/x.json']) {
    const answer = await ask(gateway, { path })
    t.equal(answer.status, 401, 'no token')
    t.strictSame(answer.shared, told, path)
  }
  const asked = await ask(gateway, { path: '/g/tools', method: 'OPTIONS' })
  t.equal(asked.status, 401, 'what is no preflight is judged like all else')
}

async function sharesNothingElse(t: Test, gateway: TestGateway, token: string): Promise<void> {
  const headers = { ...ORIGIN, authorization: `Bearer ${token}` }
  t.strictSame((await ask(gateway, { path: '/healthz' })).shared, {})
  t.strictSame((await ask(gateway, { path: '/api/store/b/k', headers })).shared, {})
  const mounted = await ask(gateway, { path: `${MOUNT}/notes/foreign`, headers })
  t.match(mounted.shared, { 'access-control-allow-origin': 'https://elsewhere.test' }, 'as it came')
  const owner = `http://${gateway.gateway.addresses.owner}`
  for (const path of ['/api/grants', '/console', '/metrics', '/ledger/exchanges/x.json']) {
    const answer = await fetch(owner + path, { method: 'OPTIONS', headers: PREFLIGHT })
    t.not(answer.status, 204, `owner ${path}`)
    t.equal(answer.headers.get('access-control-allow-origin'), null)
  }
}
