import type { Test } from 'tap'
import { narrowToken, unsafeReadToken } from '../../policy/index.ts'
import { testEngine } from '../helpers/engine.ts'
import { eventually, flow, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { answerJson } from '../helpers/upstream.ts'
import { CLIENTS, type Connected, type Kind, type Result } from '../mcp/clients.ts'

// Real clients of both lines of the SDK, over HTTP and through the bridge, at both engines. Some fifteen seconds.

const id = { in: 'path', type: 'string', required: true } as const
const held = new Set<string>()

const SETUP: Setup = {
  rows: [
    { name: 'ITEM', method: 'GET', path: '/items/{id}', args: { properties: { id } } },
    { name: 'ITEMS_MAKE', method: 'POST', path: '/items' },
    { name: 'SLOW', method: 'GET', path: '/slow/{id}', args: { properties: { id } } },
  ],
  serve(req, res) {
    const { url = '' } = req
    if (!url.startsWith('/slow/'))
      return answerJson(res, { url, user: { login: 'ada' } }, url === '/items/none' ? 404 : 200)
    held.add(url)
    res.once('close', () => held.delete(url))
  },
}

const OWN = ['resolve', 'read', 'run', 'receipt', 'narrow']

async function withClient(
  kind: Kind,
  { gateway, token }: { readonly gateway: TestGateway; readonly token: string },
  body: (client: Connected) => Promise<void>,
): Promise<void> {
  const client = await CLIENTS[kind]({ port: gateway.proxyPort, token })
  try {
    await body(client)
  } finally {
    await client.close()
  }
}

const receiptOf = ({ _meta }: Result) => String(_meta?.['narrowgate/receipt'])

/** What a client of any kind can do. */
async function assertServes(t: Test, kind: Kind, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = ITEM,SLOW', 'ways = mcp', 'arg ITEM.id in a,b,none')
  const arrived = () => gateway.upstreams.arrived.splice(0)
  arrived()
  await withClient(kind, { gateway, token }, async (client) => {
    t.strictSame(await client.list(), [...OWN, 'ITEM', 'SLOW'], 'the list is the token’s')

    const got = await client.call('ITEM', { id: 'a' })
    const answer = { url: '/items/a', user: { login: 'ada' } }
    t.strictSame(got.structuredContent, answer)
    t.strictSame(
      got.content.map(({ text }) => text),
      [JSON.stringify(answer), `receipt: ${receiptOf(got)}`],
    )
    t.match(gateway.receipt(receiptOf(got)), {
      door: 'mcp',
      tool: 'ITEM',
      outcome: 'allowed',
      envelope: { target: 'ITEM', op: 'call', args: { id: 'a' } },
    })

    const run = { tool: 'ITEM', args: { id: 'b' }, select: ['user.login'] }
    const cut = await client.call('run', run)
    t.strictSame(cut.structuredContent, { user: { login: 'ada' } })
    t.strictSame(arrived(), ['GET /items/a', 'GET /items/b'])

    const again = await client.call('receipt', { id: receiptOf(got), want: 'url' })
    t.strictSame(again.structuredContent, { url: '/items/a' })
    t.match(await client.call('receipt', { id: receiptOf(cut) }), {
      structuredContent: { id: receiptOf(cut), tool: 'ITEM' },
    })
    t.strictSame(arrived(), [], 'and no second call was made')

    const none = await client.call('ITEM', { id: 'none' })
    t.match(none, { isError: true, structuredContent: { url: '/items/none' } })
    t.match(none.content.at(-1)?.text, /^the upstream answered 404\nreceipt: /)

    t.match(await client.call('resolve', { question: 'item' }), {
      structuredContent: { rows: [{ name: 'ITEM', matched_because: 'the name is the query' }] },
    })
    t.match(await client.call('read', { tool: 'ITEM' }), {
      structuredContent: { name: 'ITEM', input_schema: { required: ['id'] } },
    })
    const line = 'uses <= 1'
    const [narrowed] = (await client.call('narrow', { caveats: [line] })).content
    t.equal(narrowed?.text, narrowToken(token, [line]))
  })
}

/** What is refused is a result, with its receipt. */
async function assertRefuses(t: Test, kind: Kind, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = ITEM', 'arg ITEM.id = a')
  await withClient(kind, { gateway, token }, async (client) => {
    for (const [name, args, code] of [
      ['ITEMS_MAKE', {}, 'tool_not_granted'],
      ['ITEM', { id: 'c' }, 'arg_refused'],
      ['ITEM', { nr: 1 }, 'unknown_field'],
      ['NOTHING', {}, 'not_found'],
      ['nothing', {}, 'malformed_request'],
      ['run', { tool: 'ITEM', args: { id: 'a' }, with: ['x'] }, 'unknown_field'],
      ['resolve', { limit: 0 }, 'malformed_request'],
      ['read', { tool: 'ITEMS_MAKE' }, 'not_found'],
      ['receipt', { id: 'no' }, 'not_found'],
      ['narrow', { caveats: ['tolls = x'] }, 'malformed_request'],
    ] as const) {
      const refused = await client.call(name, args)
      t.match(refused, { isError: true, structuredContent: { code, refused: true } }, name)
      t.match(gateway.receipt(receiptOf(refused)), { door: 'mcp', code, outcome: 'refused' }, name)
    }
  })
}

async function assertCancels(t: Test, kind: Kind, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = SLOW')
  await withClient(kind, { gateway, token }, async (client) => {
    const gone = new AbortController()
    const call = client.call('SLOW', { id: 'x' }, gone.signal)
    t.ok(await eventually(() => held.has('/slow/x')), 'the call is under way')
    gone.abort()
    await t.rejects(call)
    t.ok(await eventually(() => !held.has('/slow/x'), 3000), `${kind}: its upstream is let go`)
    const { id } = gateway.records().findLast(({ kind: one }) => one === 'intent') ?? {}
    t.ok(await eventually(() => gateway.receipt(id)?.outcome === 'gone'))
  })
}

/** A token that is over, forged, spent or revoked. */
async function assertStands(t: Test, gateway: TestGateway): Promise<void> {
  const over = gateway.mint('tools = *', 'expires < 2020-01-01T00:00:00Z')
  const forged = `${gateway.mint('tools = *').slice(0, -4)}AAAA`
  const elsewhere = gateway.mint('tools = *', 'ways = rest')
  const connect = (kind: Kind, token: string) =>
    withClient(kind, { gateway, token }, async () => {})
  for (const kind of overHttp) {
    await t.rejects(connect(kind, over), { code: -32_001, data: { code: 'expired' } }, kind)
    await t.rejects(connect(kind, forged), { message: /token_forged|HTTP 401/ }, kind)
  }
  await withClient('version 1, HTTP', { gateway, token: elsewhere }, async (client) => {
    t.strictSame(await client.list(), OWN, 'not through this door')
    t.match(await client.call('ITEM', { id: 'a' }), {
      isError: true,
      structuredContent: { code: 'way_not_granted' },
    })
  })
  const spent = gateway.mint('tools = ITEM', 'uses <= 1')
  for (const kind of overHttp)
    await withClient(kind, { gateway, token: spent }, async (client) => {
      await client.list()
      await client.call('resolve', { question: 'item' })
    })
  await withClient('version 1, HTTP', { gateway, token: spent }, async (client) => {
    t.notOk((await client.call('ITEM', { id: 'a' })).isError, 'to read was no use')
    t.match(await client.call('ITEM', { id: 'a' }), { structuredContent: { code: 'uses_spent' } })
    gateway.revoke(unsafeReadToken(spent).id)
    await eventually(async () => (await client.list().catch(() => 'refused')) === 'refused')
    await t.rejects(client.list(), { code: -32_001, data: { code: 'revoked' } })
    t.match(await client.call('ITEM', { id: 'a' }), { structuredContent: { code: 'revoked' } })
  })
}

const kinds = Object.keys(CLIENTS) as Kind[]
const overHttp = ['version 1, HTTP', 'version 2, HTTP'] as const

await flow('real clients at the MCP door', SETUP, async (t, gateway) => {
  for (const kind of kinds) await assertServes(t, kind, gateway)
  for (const kind of overHttp) await assertRefuses(t, kind, gateway)
  for (const kind of [...overHttp, 'version 1, bridge'] as const)
    await assertCancels(t, kind, gateway)
  await assertStands(t, gateway)
  const narrowings = gateway.records().filter(({ event }) => event === 'grant_narrowed')
  t.equal(narrowings.length, kinds.length, 'each narrowing is an event')
})

const other = testEngine === 'fast' ? 'general' : 'fast'
await flow(
  `and at that of the ${other} engine`,
  { ...SETUP, config: { engine: other } },
  async (t, gateway) => {
    for (const kind of overHttp) {
      await assertServes(t, kind, gateway)
      await assertCancels(t, kind, gateway)
    }
  },
)
