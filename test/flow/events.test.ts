import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { EventSource } from 'eventsource'
import { default as t, type Test } from 'tap'
import { unsafeReadToken } from '../../policy/index.ts'
import { eventually, flowIn, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'

const id = { in: 'path', type: 'string', required: true } as const
const streams: ServerResponse[] = []

const SETUP: Setup = {
  rows: [
    { name: 'ITEM', method: 'GET', path: '/items/{id}', args: { properties: { id } } },
    { name: 'STREAM', method: 'GET', path: '/stream' },
    { name: 'MAKE', method: 'POST', path: '/made', body: 'open', args: { properties: {} } },
  ],
  config: { doors: { webhook: true }, limits: { idle_ms: 900, judged_body_bytes: 65_536 } },
  async serve(req, res) {
    if (req.url === '/stream') {
      res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders()
      return void streams.push(res)
    }
    if (req.url === '/items/slow') await new Promise((resolve) => setTimeout(resolve, 1500))
    const body = (await bodyOf(req)).toString()
    answerJson(res, { url: req.url, body, key: req.headers['idempotency-key'] })
  },
}

/** Events as a client of the standard has them, until it gives up. */
interface Heard {
  readonly source: EventSource
  readonly events: { readonly name: string; readonly data: string; readonly id: string }[]
  readonly asked: (string | null)[]
  /** With which status it gave up. */
  readonly over: Promise<number | undefined>
  /** The event `end` came, and nothing is asked again. */
  readonly ended: Promise<void>
}

function listen(url: string, token?: string): Heard {
  const asked: (string | null)[] = []
  const source = new EventSource(url, {
    fetch(input, init) {
      const headers = new Headers(init.headers)
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      asked.push(headers.get('last-event-id'))
      return fetch(input, { ...init, headers })
    },
  })
  const events: Heard['events'] = []
  for (const name of ['answer', 'data', 'end', 'message'])
    source.addEventListener(name, ({ data, lastEventId }) =>
      events.push({ name, data: data as string, id: lastEventId }),
    )
  const over = new Promise<number | undefined>((resolve) => {
    source.addEventListener('error', ({ code }) => {
      if (source.readyState === source.CLOSED) resolve(code)
    })
  })
  const ended = new Promise<void>((resolve) => {
    source.addEventListener('end', () => {
      resolve()
    })
  })
  return { source, events, asked, over, ended }
}

await t.test('calls for clients of events, and webhooks', async (t) => {
  await flowIn(t, SETUP, async (t, gateway) => {
    const at = (path: string) => `http://127.0.0.1:${gateway.proxyPort}${path}`
    await t.test('an answer, and no second call', (t) => answered(t, gateway, at))
    await t.test('what an upstream streams passes on live', (t) => live(t, gateway, at))
    await t.test('a stream that its token does not outlive', (t) => cutOff(t, gateway, at))
    await t.test('while nothing comes', (t) => silent(t, gateway, at))
    await t.test('what is not done for such a client', (t) => refused(t, gateway, at))
    await t.test('a webhook', (t) => hooked(t, gateway, at))
  })
})

type At = (path: string) => string

async function answered(t: Test, gateway: TestGateway, at: At): Promise<void> {
  const token = gateway.mint('tools = ITEM', 'ways = rest', 'arg ITEM.id in a,b')
  const not = listen(at(`/g/${token}/sse/ITEM?id=c`))
  const both = [listen(at(`/g/${token}/sse/ITEM?id=a`)), listen(at('/g/sse/ITEM/a'), token)]
  for (const { events, over, asked } of both) {
    t.equal(await over, 204, 'the client stops by itself')
    t.strictSame(
      events.map(({ name }) => name),
      ['answer', 'end'],
    )
    const [answer, end] = events
    t.match(JSON.parse(answer?.data ?? ''), { ok: true, status: 200, output: { url: '/items/a' } })
    t.strictSame(asked, [null, answer?.id])
    t.equal(end?.data, '{}')
    t.match(gateway.receipt(answer?.id), { door: 'rest', tool: 'ITEM', outcome: 'allowed' })
  }
  t.equal(gateway.upstreams.arrived.filter((line) => line === 'GET /items/a').length, 2)
  t.equal(await not.over, 204)
  const [answer] = not.events
  t.match(JSON.parse(answer?.data ?? ''), {
    ok: false,
    status: 403,
    error: { code: 'arg_refused' },
  })
  t.match(gateway.receipt(answer?.id), { outcome: 'refused', code: 'arg_refused' })
  const { stdout } = await promisify(execFile)('curl', [
    '-sSN',
    '--noproxy',
    '*',
    at(`/g/${token}/sse/ITEM?id=b`),
  ])
  t.match(
    stdout,
    /^event: answer\nid: [0-9a-f-]{36}\ndata: \{"ok":true.*\}\n\nevent: end\ndata: \{\}\n\n$/,
  )
}

async function live(t: Test, gateway: TestGateway, at: At): Promise<void> {
  const token = gateway.mint('tools = STREAM')
  const { source, events, ended } = listen(at(`/g/${token}/sse/STREAM`))
  t.ok(await eventually(() => streams.length === 1))
  const [stream] = streams.splice(0)
  const bytes = Buffer.from('id: 9\r\nevent: x\ndata: {"ü": 1}\r\rdata:two\ndata\n: no\n\n')
  const half = bytes.indexOf(0xbc)
  stream?.write(bytes.subarray(0, half))
  await new Promise((resolve) => setTimeout(resolve, 50))
  stream?.write(bytes.subarray(half))
  t.ok(await eventually(() => events.length === 2), 'before the stream ends')
  stream?.end('data: [DONE]\n\ndata: half of an event')
  await ended
  source.close()
  t.strictSame(
    events.slice(0, 3).map(({ name, data, id }) => [name, data, id]),
    [
      ['data', '{"ü": 1}', ''],
      ['data', 'two\n', ''],
      ['data', '[DONE]', ''],
    ],
  )
  t.match(events[3], { name: 'answer', data: /^\{"ok":true,"status":200,"receipt":"/ })
  t.match(gateway.receipt(events[3]?.id), { tool: 'STREAM', outcome: 'allowed' })
  const left = listen(at(`/g/${token}/sse/STREAM`))
  t.ok(await eventually(() => streams.length === 1))
  const closed = once(streams.splice(0)[0] as ServerResponse, 'close')
  left.source.close()
  await closed
}

async function cutOff(t: Test, gateway: TestGateway, at: At): Promise<void> {
  const token = gateway.mint('tools = STREAM')
  const { source, events, ended } = listen(at(`/g/${token}/sse/STREAM`))
  t.ok(await eventually(() => streams.length === 1))
  streams.splice(0)[0]?.write('data: 1\n\n')
  t.ok(await eventually(() => events.length === 1))
  const since = Date.now()
  gateway.revoke(unsafeReadToken(token).id)
  t.ok(await eventually(() => events.length === 3))
  t.ok(Date.now() - since < 1500, 'at once')
  t.match(JSON.parse(events[1]?.data ?? ''), { ok: false, error: { code: 'revoked', ran: true } })
  const receipt = () => gateway.receipt(events[1]?.id)
  t.ok(await eventually(() => receipt()?.outcome !== undefined))
  t.match(receipt(), { outcome: 'failed', code: 'revoked' })
  await ended
  source.close()
}

async function silent(t: Test, gateway: TestGateway, at: At): Promise<void> {
  const answer = await fetch(at(`/g/${gateway.mint('tools = ITEM')}/sse/ITEM?id=slow`))
  t.equal(answer.headers.get('content-type'), 'text/event-stream')
  t.equal(answer.headers.get('cache-control'), 'no-store')
  const text = await answer.text()
  t.match(text, /^(?::\n\n){2,5}event: answer\n/, 'longer than a connection may be idle')
}

async function refused(t: Test, gateway: TestGateway, at: At): Promise<void> {
  const token = gateway.mint('tools = *')
  const ask = async (path: string, init: RequestInit = {}) => {
    const { status, headers } = await fetch(at(path), init)
    return [status, headers.get('refused')]
  }
  t.strictSame(await ask('/g/sse/ITEM?id=a'), [401, 'token_missing'])
  t.strictSame(await ask(`/g/${token}A/sse/ITEM?id=a`), [401, 'token_malformed'])
  t.strictSame(await ask(`/g/${token}/sse/MAKE`), [405, 'method_not_allowed'])
  t.strictSame(await ask(`/g/${token}/sse/ITEM?id=a`, { method: 'POST' }), [
    405,
    'method_not_allowed',
  ])
  t.strictSame(await ask(`/g/${token}/sse/NONE`), [404, 'not_found'])
  t.strictSame(await ask(`/g/${token}/sse`), [404, 'not_found'])
  t.strictSame(await ask(`/g/${token}/sse/ITEM?stray=1`), [200, null], 'said in its event')
  const last = { headers: { 'last-event-id': 'x' } }
  t.strictSame(await ask(`/g/${token}/sse/ITEM?id=a`, last), [400, 'malformed_request'])
  for (const [line, code] of [
    ['ways = link', 'way_not_granted'],
    ['tools = OTHER', 'tool_not_granted'],
    ['expires < 2020-01-01T00:00:00Z', 'expired'],
  ] as const) {
    const answer = await fetch(at(`/g/${gateway.mint(line)}/sse/ITEM?id=a`))
    t.match(await answer.text(), `"code":"${code}"`)
  }
}

async function hooked(t: Test, gateway: TestGateway, at: At): Promise<void> {
  const token = gateway.mint('tools = MAKE,ITEM', 'ways = rest')
  const send = async (
    body: string,
    headers: Readonly<Record<string, string>> = {},
    rest = 'MAKE',
  ) => {
    const answer = await fetch(at(`/g/${token}/hook/${rest}`), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as object }
  }
  const got = await send('{"event":"push","n":12345678901234567890}', { 'webhook-id': 'msg_1' })
  t.match(got, {
    status: 200,
    body: { url: '/made', body: '{"event":"push","n":12345678901234567890}', key: 'msg_1' },
  })
  const receipt = gateway.receipt(got.headers.get('receipt') ?? undefined)
  t.match(receipt, { door: 'rest', tool: 'MAKE', outcome: 'allowed' })
  t.match(
    await send('{}', {
      'idempotency-key': 'a',
      'content-type': 'application/cloudevents+json; charset=utf-8',
    }),
    { status: 200, body: { key: 'a' } },
  )
  const before = gateway.upstreams.arrived.length
  const wrong: readonly (readonly [
    string,
    Readonly<Record<string, string>>,
    string,
    number,
    string,
  ])[] = [
    ['[1]', {}, 'MAKE', 400, 'malformed_request'],
    ['"x"', {}, 'MAKE', 400, 'malformed_request'],
    ['{"a":', {}, 'MAKE', 400, 'malformed_request'],
    ['{"a":1,"a":2}', {}, 'MAKE', 400, 'malformed_request'],
    ['a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 'MAKE', 400, 'not_supported'],
    ['{}', { 'content-type': 'text/plain' }, 'MAKE', 400, 'not_supported'],
    ['{}', { 'idempotency-key': 'a', 'webhook-id': 'b' }, 'MAKE', 400, 'malformed_request'],
    ['{}', { 'webhook-id': 'a b' }, 'MAKE', 400, 'malformed_request'],
    ['{}', {}, 'MAKE?a=1', 400, 'unknown_field'],
    ['{"stray":1}', {}, 'ITEM', 400, 'unknown_field'],
    ['{}', {}, 'NONE', 404, 'not_found'],
    ['{}', {}, 'ledger', 400, 'malformed_request'],
    [`{"a":"${'a'.repeat(65_536)}"}`, {}, 'MAKE', 413, 'too_large'],
  ]
  for (const [body, headers, rest, status, code] of wrong) {
    const answer = await send(body, headers, rest)
    t.strictSame(
      [answer.status, answer.headers.get('refused')],
      [status, code],
      `${rest} ${body.slice(0, 20)}`,
    )
  }
  t.equal(gateway.upstreams.arrived.length, before)
  const opened = await fetch(at(`/g/${token}/hook/MAKE`))
  t.strictSame([opened.status, opened.headers.get('refused')], [405, 'method_not_allowed'])
  const link = gateway.mint('ways = link')
  for (const [bad, status, code] of [
    [link, 403, 'way_not_granted'],
    [`${link}A`, 401, 'token_malformed'],
    [gateway.mint('tools = ITEM'), 403, 'tool_not_granted'],
  ] as const) {
    const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const answer = await fetch(at(`/g/${bad}/hook/MAKE`), asked)
    t.strictSame([answer.status, answer.headers.get('refused')], [status, code])
  }
}
