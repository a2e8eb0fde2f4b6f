import { once } from 'node:events'
import { request } from 'node:http'
import { readFileSync } from 'node:fs'
import { default as t, type Test } from 'tap'
import { WebSocket, type ClientOptions } from 'ws'
import { SecretText } from '../../adapters/keys/secret.ts'
import { createSessions } from '../../gateway/persons/session.ts'
import { statePaths } from '../../gateway/state/paths.ts'
import { unsafeReadToken } from '../../policy/index.ts'
import { eventually, flowIn, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { askOwner, mintGrant } from '../helpers/owner.ts'
import { answerJson } from '../helpers/upstream.ts'

const id = { in: 'path', type: 'string', required: true } as const
const held: (() => void)[] = []
let under = 0
let most = 0

const IDLE_MS = 800

const SETUP: Setup = {
  rows: [{ name: 'ITEM', method: 'GET', path: '/items/{id}', args: { properties: { id } } }],
  config: { limits: { judged_body_bytes: 65_536, idle_ms: IDLE_MS } },
  async serve(req, res) {
    under += 1
    most = Math.max(most, under)
    if (req.url?.startsWith('/items/held') === true)
      await new Promise<void>((resolve) => held.push(resolve))
    under -= 1
    answerJson(res, { url: req.url }, req.url === '/items/none' ? 404 : 200)
  },
}

const letGo = () => {
  for (const go of held.splice(0)) go()
}

/** A connection, and what has come over it. */
interface Line {
  readonly ws: WebSocket
  readonly said: object[]
  send(value: unknown): void
  /** The next answers, so many of them. */
  next(count: number): Promise<readonly object[]>
  closed: Promise<readonly [code: number, reason: string]>
}

async function open(
  gateway: TestGateway,
  token: string | undefined,
  more: ClientOptions & { readonly path?: string; readonly protocols?: readonly string[] } = {},
): Promise<Line> {
  const { path = '/g/ws', protocols = [], headers, ...options } = more
  const ws = new WebSocket(`ws://127.0.0.1:${gateway.proxyPort}${path}`, [...protocols], {
    ...options,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
  })
  const said: object[] = []
  ws.on('message', (data: Buffer) => said.push(JSON.parse(data.toString()) as object))
  const closed = once(ws, 'close').then(
    ([code, reason]) => [code as number, String(reason)] as const,
  )
  await once(ws, 'open')
  let read = 0
  return {
    ws,
    said,
    closed,
    send: (value) => ws.send(typeof value === 'string' ? value : JSON.stringify(value)),
    async next(count) {
      if (!(await eventually(() => said.length >= read + count)))
        throw new Error(`${said.length - read} of ${count} answers came`)
      read += count
      return said.slice(read - count, read)
    },
  }
}

/** The answer to an upgrade that is refused. */
function turnedAway(
  gateway: TestGateway,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly [status: number | undefined, code: unknown]> {
  const asked = request({
    host: '127.0.0.1',
    port: gateway.proxyPort,
    path,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      ...headers,
    },
  })
  return new Promise((resolve, reject) => {
    asked.once('error', reject)
    asked.once('response', (res) => {
      res.resume()
      resolve([res.statusCode, res.headers['refused']])
    })
    asked.once('upgrade', (res, socket) => {
      socket.destroy()
      resolve([res.statusCode, undefined])
    })
    asked.end()
  })
}

await t.test('calls over a WebSocket', async (t) => {
  await flowIn(t, SETUP, async (t, gateway) => {
    await t.test('every form of a call', (t) => forms(t, gateway))
    await t.test('what is no call is answered, and closes nothing', (t) => noCalls(t, gateway))
    await t.test('as many at once as of a batch', (t) => bounded(t, gateway))
    await t.test('who goes takes the calls along', (t) => goes(t, gateway))
    await t.test('what breaks the protocol', (t) => broken(t, gateway))
    await t.test('who may not open one', (t) => refused(t, gateway))
    await t.test('a page of another origin', (t) => hijacked(t, gateway))
    await t.test('where a browser has its token', (t) => browsers(t, gateway))
    await t.test('what ends with its token', (t) => cutOff(t, gateway))
    await t.test('who is silent', (t) => silent(t, gateway))
  })
})

async function forms(t: Test, gateway: TestGateway): Promise<void> {
  const line = await open(gateway, gateway.mint('tools = ITEM', 'ways = rest'))
  const args = { id: 'a' }
  for (const [form, key] of [
    [{ tool: 'ITEM', args }, '0'],
    [{ key: 'mine', tool: 'ITEM', args }, 'mine'],
    [{ target: 'ITEM', op: 'call', args, key: 'x' }, 'x'],
    [{ type: 'function', id: 'call_1', name: 'ITEM', arguments: '{"id":"a"}' }, 'call_1'],
    [{ id: 7, tool: 'ITEM', args }, '7'],
  ] as const) {
    line.send(form)
    const [answer] = await line.next(1)
    t.match(answer, { key, ok: true, status: 200, output: { url: '/items/a' } })
    const { receipt } = answer as { receipt: string }
    t.match(gateway.receipt(receipt), { door: 'rest', tool: 'ITEM', outcome: 'allowed' })
  }
  line.send({ target: 'directory', op: 'count' })
  t.match(await line.next(1), [{ ok: true, status: 200 }], 'a collection')
  line.send({ tool: 'ITEM', args, select: ['none'], key: 's' })
  t.match(await line.next(1), [{ key: 's', output: {} }])
  line.send({ jsonrpc: '2.0', id: 7, method: 'ITEM', params: args })
  t.strictSame(await line.next(1), [{ jsonrpc: '2.0', id: 7, result: { url: '/items/a' } }])
  line.send({ jsonrpc: '2.0', id: 'n', method: 'NONE' })
  t.match(await line.next(1), [{ id: 'n', error: { code: -32_601, data: { code: 'not_found' } } }])
  line.send({ jsonrpc: '2.0', id: {}, method: 'ITEM' })
  t.match(await line.next(1), [{ id: null, error: { code: -32_600 } }])
  line.send({ jsonrpc: '2.0', method: 'ITEM', params: { id: 'note' } })
  t.ok(await eventually(() => gateway.upstreams.arrived.includes('GET /items/note')))
  line.send('{"tool":"ITEM","args":{"id":"none"},"key":"after"}')
  t.match(await line.next(1), [{ key: 'after', ok: false, status: 404, output: {} }])
  line.ws.close()
  t.equal((await line.closed)[0], 1005)
}

async function noCalls(t: Test, gateway: TestGateway): Promise<void> {
  const line = await open(gateway, gateway.mint('tools = ITEM', 'arg ITEM.id = a'))
  const wrong: readonly (readonly [unknown, string, string])[] = [
    ['{"tool":', '0', 'malformed_request'],
    ['[]', '1', 'malformed_request'],
    ['ITEM id="a"', '2', 'malformed_request'],
    [{ key: 'k', tool: 'ITEM', args: { id: 'b' } }, 'k', 'arg_refused'],
    [{ key: 'k', tool: 'NONE' }, 'k', 'not_found'],
    [{ key: 'k', tool: 'ITEM', args: {}, stray: 1 }, 'k', 'unknown_field'],
    [{ key: 'k', tool: 'ITEM', args: { id: 'a' }, with: ['b'] }, 'k', 'not_supported'],
    [{ key: 'no key', tool: 'ITEM' }, '7', 'malformed_request'],
    ['{"tool":"ITEM","args":{"id":"a","id":"b"}}', '8', 'malformed_request'],
  ]
  for (const [form, key, code] of wrong) {
    line.send(form)
    const [answer] = await line.next(1)
    t.match(answer, { key, ok: false, error: { code, ran: false } }, JSON.stringify(form))
    t.match(gateway.receipt((answer as { receipt: string }).receipt), { outcome: 'refused', code })
  }
  line.send({ tool: 'ITEM', args: { id: 'a' } })
  t.match(await line.next(1), [{ ok: true }], 'it is still open')
  line.ws.close()
  await line.closed
}

async function bounded(t: Test, gateway: TestGateway): Promise<void> {
  const line = await open(gateway, gateway.mint('tools = ITEM'))
  most = 0
  for (let at = 0; at < 60; at += 1) line.send({ tool: 'ITEM', args: { id: `held-${at}` } })
  t.ok(await eventually(() => under === 16))
  while (line.said.length < 60) {
    letGo()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  t.equal(most, 16)
  const keys = (await line.next(60)).map((answer) => (answer as { key: string }).key)
  t.equal(new Set(keys).size, 60, 'each is answered once')
  line.send({ key: '3', tool: 'ITEM', args: { id: 'again' } })
  t.match(await line.next(1), [{ key: '3', ok: true }], 'a key may come again')
  for (const id of ['held-a', 'free']) line.send({ key: 'same', tool: 'ITEM', args: { id } })
  t.match(await line.next(1), [{ ok: false, error: { code: 'malformed_request' } }])
  letGo()
  t.match(await line.next(1), [{ key: 'same', ok: true }])
  line.ws.close()
  await line.closed
}

async function goes(t: Test, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = ITEM')
  const line = await open(gateway, token)
  line.send({ tool: 'ITEM', args: { id: 'held' } })
  t.ok(await eventually(() => held.length === 1))
  line.ws.terminate()
  const mine = () =>
    gateway
      .records()
      .find(({ grant, kind }) => grant === unsafeReadToken(token).id && kind === 'intent')
  t.ok(await eventually(() => gateway.receipt(mine()?.id)?.outcome === 'gone'))
  letGo()
}

async function broken(t: Test, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = ITEM')
  const bytes = await open(gateway, token)
  bytes.ws.send(Buffer.from('{}'))
  t.strictSame(await bytes.closed, [1003, 'send text'])
  const large = await open(gateway, token)
  large.send({ tool: 'ITEM', args: { id: 'a'.repeat(65_536) } })
  t.equal((await large.closed)[0], 1009)
}

async function refused(t: Test, gateway: TestGateway): Promise<void> {
  const good = gateway.mint('tools = ITEM')
  const gone = gateway.mint('tools = ITEM')
  gateway.revoke(unsafeReadToken(gone).id)
  const at = (token: string) => turnedAway(gateway, `/g/${token}/ws`)
  t.strictSame(await turnedAway(gateway, '/g/ws'), [401, 'token_missing'])
  t.strictSame(await at(`${good}A`), [401, 'token_malformed'])
  t.strictSame(await at(gateway.mint('expires < 2020-01-01T00:00:00Z')), [403, 'expired'])
  t.strictSame(await at(gateway.mint('ways = link')), [403, 'way_not_granted'])
  t.strictSame(await at(gateway.mint('person = alice')), [403, 'person_mismatch'])
  t.ok(await eventually(async () => (await at(gone))[1] === 'revoked'))
  t.strictSame(await at(gone), [403, 'revoked'])
  const old = { 'sec-websocket-version': '8' }
  t.strictSame(await turnedAway(gateway, `/g/${good}/ws`, old), [400, 'malformed_request'])
  const short = { 'sec-websocket-key': 'eA==' }
  t.strictSame(await turnedAway(gateway, `/g/${good}/ws`, short), [400, 'malformed_request'])
  const plain = await fetch(`http://127.0.0.1:${gateway.proxyPort}/g/${good}/ws`)
  t.strictSame([plain.status, plain.headers.get('refused')], [400, 'malformed_request'])
  t.strictSame(await turnedAway(gateway, `/g/${good}/tools`), [400, 'malformed_request'])
  t.strictSame(await turnedAway(gateway, `/g/${good}/run/ITEM?id=a`), [400, 'malformed_request'])
}

function signIn(gateway: TestGateway, seconds: number) {
  const key = readFileSync(statePaths(gateway.state).ownerKey, 'utf8').trim()
  return createSessions(new SecretText('owner', key), { now: Date.now }).issue('alice', seconds)
}

async function hijacked(t: Test, gateway: TestGateway): Promise<void> {
  const path = `/g/${gateway.mint('tools = ITEM', 'person = alice')}/ws`
  const { session } = signIn(gateway, 60)
  const cookie = `other=1; narrowgate_session=${session}`
  const own = `http://127.0.0.1:${gateway.proxyPort}`
  const from = (origin: string, more: object) => turnedAway(gateway, path, { origin, ...more })
  t.strictSame(await from('https://evil.test', { cookie }), [403, 'origin_refused'])
  t.strictSame(await from('null', { cookie }), [403, 'origin_refused'])
  t.strictSame(await from(own, { cookie }), [101, undefined])
  t.strictSame(await turnedAway(gateway, path, { cookie }), [101, undefined], 'no browser')
  const header = { 'narrowgate-session': session }
  t.strictSame(await from('https://evil.test', header), [101, undefined], 'no page can send it')
  const anyone = `/g/${gateway.mint('tools = ITEM')}/ws`
  const elsewhere = { origin: 'https://evil.test', cookie: 'other=1' }
  t.strictSame(await turnedAway(gateway, anyone, elsewhere), [101, undefined], 'a token is enough')
  const line = await open(gateway, undefined, { path, headers: { cookie } })
  line.send({ tool: 'ITEM', args: { id: 'a' } })
  const [answer] = await line.next(1)
  t.match(gateway.receipt((answer as { receipt: string }).receipt), { person: 'alice' })
  line.ws.close()
}

async function browsers(t: Test, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = ITEM')
  const asked = [
    { path: `/g/${token}/ws`, protocols: [] },
    { path: '/g/ws', protocols: ['narrowgate', token] },
  ]
  for (const options of asked) {
    const line = await open(gateway, undefined, options)
    t.equal(line.ws.protocol, options.protocols[0] ?? '')
    line.send({ tool: 'ITEM', args: { id: 'a' } })
    t.match(await line.next(1), [{ ok: true }])
    line.ws.close()
  }
  const offers = { 'sec-websocket-protocol': `narrowgate, ${token}A` }
  t.strictSame(await turnedAway(gateway, '/g/ws', offers), [401, 'token_malformed'])
  const run = await fetch(`http://127.0.0.1:${gateway.proxyPort}/g/tools`, {
    headers: { 'sec-websocket-protocol': token },
  })
  t.equal(run.status, 401, 'elsewhere it is no credential')
}

async function cutOff(t: Test, gateway: TestGateway): Promise<void> {
  const within = async (line: Line, code: string, since: number) => {
    t.strictSame(await line.closed, [1008, code])
    const late = Date.now() - since
    t.ok(late > -100 && late < 1500, `${code}: closed ${late} ms after`)
  }
  const soon = Math.ceil(Date.now() / 1000) * 1000 + 1000
  const line = `expires < ${new Date(soon).toISOString().replace('.000', '')}`
  const expires = await open(gateway, gateway.mint('tools = ITEM', line))
  const token = gateway.mint('tools = ITEM')
  const revoked = await open(gateway, token)
  revoked.send({ tool: 'ITEM', args: { id: 'held' } })
  t.ok(await eventually(() => held.length === 1))
  const { token: leashedToken } = await mintGrant(gateway, 'tools = ITEM')
  const leashed = await open(gateway, leashedToken)
  const { session, expires: ends } = signIn(gateway, 1)
  const signedOut = await open(gateway, gateway.mint('tools = ITEM'), {
    headers: { 'narrowgate-session': session },
  })
  await within(expires, 'expired', soon)
  await within(signedOut, 'session_invalid', ends)
  const { id } = unsafeReadToken(leashedToken)
  await askOwner(gateway, 'POST', `/api/grants/${id}/leash`, { lines: ['tools = NONE'] })
  leashed.send({ tool: 'ITEM', args: { id: 'a' } })
  t.match(await leashed.next(1), [{ error: { code: 'tool_not_granted' } }], 'about calls alone')
  await askOwner(gateway, 'POST', `/api/grants/${id}/leash`, { lines: ['person = bob'] })
  await within(leashed, 'person_mismatch', Date.now())
  gateway.revoke(unsafeReadToken(token).id)
  await within(revoked, 'revoked', Date.now())
  letGo()
}

async function silent(t: Test, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = ITEM')
  const here = await open(gateway, token)
  const away = await open(gateway, token, { autoPong: false })
  t.equal((await away.closed)[0], 1006, 'who answers no ping has gone')
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  here.ws.ping('x')
  t.equal(String((await once(here.ws, 'pong'))[0]), 'x')
  here.send({ tool: 'ITEM', args: { id: 'a' } })
  t.match(await here.next(1), [{ ok: true }], 'who answers stays')
  here.ws.close()
  await here.closed
}
