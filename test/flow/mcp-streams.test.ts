import { unsafeReadToken } from '../../policy/index.ts'
import { run } from '../cli/in-process.ts'
import { eventually, flow, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { askOwner, mintGrant } from '../helpers/owner.ts'
import { CLIENTS, type Connected, type Kind } from '../mcp/clients.ts'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// What stays open at the MCP door, and what its HTTP is like.

const SETUP: Setup = {
  rows: [
    { name: 'ITEMS', method: 'GET', path: '/items' },
    { name: 'SLOW', method: 'GET', path: '/slow' },
  ],
  serve: (req, res) => void setTimeout(() => res.end('done'), req.url === '/slow' ? 5500 : 0),
  config: { limits: { max_mcp_streams: 5, judged_body_bytes: 2000 } },
}

/** Half a second for the rule, and some more for a machine that is busy. */
const WITHIN_MS = 1500

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** One request of a client that knows nothing of SDKs. */
async function ask(gateway: TestGateway, asked: Asked) {
  const { method = 'POST', path = '/g/mcp', token, headers = {}, body } = asked
  const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: body ?? null,
  })
  const { status, headers: fields } = answer
  const text = () => answer.text()
  return { status, fields, text, type: fields.get('content-type'), answer }
}

const message = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })

const byId = (one: { readonly id: number }, other: { readonly id: number }) => one.id - other.id
const byNumber = (one: number, other: number) => one - other

/** A client of this kind that listens, and what it has heard. */
async function listening(kind: Kind, gateway: TestGateway, token: string) {
  const client = await CLIENTS[kind]({ port: gateway.proxyPort, token })
  let heard = 0
  await client.onNews(() => void heard++)
  return { client, heard: () => heard }
}

await flow('the MCP door', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = ITEMS')
  // Asked first, since it takes a while.
  const params = { name: 'SLOW', arguments: {}, _meta: { progressToken: 'p-1' } }
  const body = message('tools/call', params)
  const slow = ask(gateway, { token: gateway.mint('tools = SLOW'), body })

  await t.test('clients hear of a leash, of other rows, and of the end', async (t) => {
    const { id, token } = await mintGrant(gateway, 'tools = ITEM*')
    const open: { client: Connected; heard: () => number }[] = []
    for (const kind of ['version 1, HTTP', 'version 2, HTTP', 'version 1, bridge'] as const)
      open.push(await listening(kind, gateway, token))
    const leash = (line: string) =>
      askOwner(gateway, 'POST', `/api/grants/${id}/leash`, { lines: [line] })
    let all = open.map(({ heard }) => heard())
    const everybody = () => open.every(({ heard }, at) => heard() > all[at]!)
    // The stream of a client of version 1 is opened a moment after it is connected.
    let uses = 99
    const listens = async () => {
      await leash(`uses <= ${uses--}`)
      return eventually(everybody, 500)
    }
    t.ok(await eventually(listens), 'each client has a stream')
    all = open.map(({ heard }) => heard())
    await leash('tools = ITEMS')
    t.ok(await eventually(everybody, 5000), 'of a leash')
    for (const { client } of open) t.strictSame((await client.list()).slice(5), ['ITEMS'])

    all = open.map(({ heard }) => heard())
    const catalog = join(dirname(gateway.configFile), 'catalog.yaml')
    writeFileSync(catalog, 'tools: []\n')
    t.match(await gateway.gateway.reload(), { ok: true })
    t.ok(await eventually(everybody, 5000), 'of other rows')
    for (const { client } of open) t.strictSame((await client.list()).slice(5), [])

    all = open.map(({ heard }) => heard())
    gateway.revoke(id)
    const began = Date.now()
    t.ok(await eventually(everybody, 5000), 'of the end')
    t.ok(Date.now() - began < WITHIN_MS, `after ${Date.now() - began} ms`)
    for (const { client } of open) {
      await t.rejects(client.list(), { code: -32_001, data: { code: 'revoked' } })
      await client.close()
    }
  })

  await t.test('a stream ends with its token', async (t) => {
    const expires = Math.ceil(Date.now() / 1000) * 1000 + 2000
    const line = `expires < ${new Date(expires).toISOString().replace('.000', '')}`
    const short = gateway.mint('tools = ITEMS', line)
    const listen = message('subscriptions/listen', {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    })
    const modern = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    }
    const streams = await Promise.all([
      ask(gateway, { method: 'GET', token: short }),
      ask(gateway, { token: short, headers: modern, body: listen }),
    ])
    for (const { status, type, text } of streams) {
      t.equal(status, 200)
      t.match(type, 'text/event-stream')
      t.match(await text(), /notifications\/tools\/list_changed/)
      const late = Date.now() - expires
      t.ok(late >= 0 && late < WITHIN_MS, `${late} ms after it`)
    }
    t.match((await ask(gateway, { method: 'GET', token: short })).status, 403)
  })

  await t.test('no more streams are open than configured', async (t) => {
    const all = await Promise.all(
      Array.from({ length: 6 }, () => ask(gateway, { method: 'GET', token })),
    )
    t.same(all.map(({ status }) => status).toSorted(byNumber), [200, 200, 200, 200, 200, 503])
    for (const { answer } of all) await answer.body?.cancel()
    const again = async () => {
      const { status, answer } = await ask(gateway, { method: 'GET', token })
      await answer.body?.cancel()
      return status === 200
    }
    t.ok(await eventually(again), 'one that was left makes room')
  })

  await t.test('what is no message, or not for this door', async (t) => {
    const list = message('tools/list')
    const refused = async (asked: Asked, status: number, expected: object) => {
      const got = await ask(gateway, { token, ...asked })
      t.equal(got.status, status, JSON.stringify(asked))
      t.match(JSON.parse(await got.text()), { jsonrpc: '2.0', ...expected })
      return got
    }
    const error = (code: number, data = {}) => ({ id: null, error: { code, data } })
    await refused({ body: '{"a":' }, 400, error(-32_700, { code: 'malformed_request' }))
    await refused({ body: '{"a":1,"a":2}' }, 400, error(-32_700))
    await refused({ body: `[${list}]` }, 400, error(-32_001, { code: 'malformed_request' }))
    await refused({ body: ' '.repeat(3000) }, 413, error(-32_001, { code: 'too_large' }))
    await refused({ method: 'DELETE' }, 405, error(-32_001, { code: 'method_not_allowed' }))
    await refused({ path: '/g/mcp/x', body: list }, 404, error(-32_001, { code: 'not_found' }))
    await refused({ path: '/g/mcp?a=1', body: list }, 404, error(-32_001, { code: 'not_found' }))
    for (const origin of ['http://evil.example.com', 'null', 'http://127.0.0.1.evil.example.com'])
      await refused(
        { headers: { origin }, body: list },
        403,
        error(-32_001, { code: 'origin_refused' }),
      )
    const origin = `http://localhost:${gateway.proxyPort}`
    t.equal((await ask(gateway, { token, headers: { origin }, body: list })).status, 200)
    t.equal(
      (await ask(gateway, { token, headers: { 'content-type': 'text/plain' }, body: list })).status,
      415,
    )
    t.equal(
      (await ask(gateway, { method: 'GET', token, headers: { accept: 'text/html' } })).status,
      406,
    )
    const none = await refused(
      { token: '', body: list },
      401,
      error(-32_001, { code: 'token_missing' }),
    )
    t.equal(none.fields.get('www-authenticate'), 'Bearer realm="narrowgate"')
    await refused(
      { token: `${token}A`, body: list },
      401,
      error(-32_001, { code: 'token_malformed' }),
    )
  })

  await t.test('an answer is of the kind that its client takes', async (t) => {
    const call = message('tools/call', { name: 'resolve', arguments: { question: 'items' } })
    const json = await ask(gateway, { token, headers: { accept: 'application/json' }, body: call })
    t.match(json.type, 'application/json')
    t.match(JSON.parse(await json.text()), { id: 7, result: { structuredContent: {} } })
    const stream = await ask(gateway, { token, body: call })
    t.match(stream.type, 'text/event-stream')
    t.match(await stream.text(), /^event: message\ndata: \{"result"/)
    const path = `/g/${token}/mcp`
    const inPath = await ask(gateway, { path, body: message('tools/list') })
    t.match(inPath.fields.get('ledger-head'), /^[0-9a-f]{64}$/)
    t.equal(inPath.fields.get('referrer-policy'), 'no-referrer')
    t.notMatch(await inPath.text(), unsafeReadToken(token).id)
  })

  await t.test('a call that takes long is told to be under way', async (t) => {
    const said = await (await slow).text()
    t.match(
      said,
      /"method":"notifications\/progress","params":\{"progressToken":"p-1","progress":5/,
    )
    t.match(said, /"result":\{.*"text":"done"/)
  })

  await t.test('the bridge answers what was asked before its input ended', async (t) => {
    const lines = [message('tools/list'), message('ping').replace('7', '8')]
    const NARROWGATE_GATEWAY = `127.0.0.1:${gateway.proxyPort}`
    const bridge = async (NARROWGATE_TOKEN: string) => {
      const env = { NARROWGATE_TOKEN, NARROWGATE_GATEWAY }
      const { exit, stdout } = await run(['mcp'], { env, input: lines.join('\n') })
      t.equal(exit, 0)
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number })
    }
    t.match((await bridge(token)).toSorted(byId), [
      { id: 7, result: {} },
      { id: 8, result: {} },
    ])
    const refused = (id: number, code: string) => ({ id, error: { code: -32_001, data: { code } } })
    for (const [bad, code] of [
      [`${token}A`, 'token_malformed'],
      [gateway.mint('expires < 2020-01-01T00:00:00Z'), 'expired'],
    ] as const)
      t.match((await bridge(bad)).toSorted(byId), [refused(7, code), refused(8, code)])
  })

  // What is open would hold a gateway up that waits for its streams.
  const { client } = await listening('version 2, HTTP', gateway, token)
  t.teardown(async () => {
    const began = Date.now()
    await gateway.gateway.stop()
    await client.close()
    const took = Date.now() - began
    if (took > 5000) throw new Error(`the gateway stopped after ${took} ms`)
  })
})
