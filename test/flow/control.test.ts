import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { readFileSync } from 'node:fs'
import { flow, portOf, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'
import { statePaths } from '../../gateway/state/paths.ts'

const id = { in: 'path', type: 'string', required: true } as const
const n = { in: 'body', type: 'integer' } as const

/** Bodies that came, by path. */
const came = new Map<string, string[]>()

/** Says what its path asks for: `503-2` twice 503, and then 200. */
async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { url = '' } = req
  const bodies = came.get(url) ?? []
  came.set(url, [...bodies, (await bodyOf(req)).toString()])
  const [, kind = '', times = ''] = /^\/items\/(\w+)-(\d+)/.exec(url) ?? []
  if (bodies.length >= Number(times)) return answerJson(res, { after: bodies.length })
  if (kind === 'gone') return void res.destroy()
  if (kind === 'wait') res.setHeader('retry-after', '0')
  if (kind === 'date') res.setHeader('retry-after', new Date().toUTCString())
  if (kind === 'later') res.setHeader('retry-after', '60')
  const status = { wait: 429, date: 429, later: 503, plain: 429, big: 503 }[kind] ?? Number(kind)
  answerJson(res, { fill: kind === 'big' ? 'x'.repeat(200_000) : '' }, status)
}

const SETUP: Setup = {
  rows: [
    { name: 'ITEM', method: 'GET', path: '/items/{id}', args: { properties: { id } } },
    { name: 'SET', method: 'PUT', path: '/items/{id}', args: { properties: { id, n } } },
    { name: 'ADD', method: 'POST', path: '/items/{id}', args: { properties: { id, n } } },
  ],
  serve,
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function post(gateway: TestGateway, token: string, path: string, form: unknown) {
  const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(form),
  })
  return { status: answer.status, body: await answer.json() } as Answer
}

const run = (gateway: TestGateway, token: string, form: unknown) =>
  post(gateway, token, '/g/run', form)

async function again(t: Test, gateway: TestGateway) {
  const token = gateway.mint('tools = ITEM,SET,ADD')
  const made = async (tool: string, id: string, control: object) => {
    const { status } = await run(gateway, token, { tool, args: { id }, control })
    return [status, came.get(`/items/${id}`)?.length]
  }
  t.strictSame(await made('ITEM', '503-2', { retries: 2 }), [200, 3])
  t.strictSame(await made('ITEM', '502-2-b', { retries: 1 }), [502, 2], 'so often and no more')
  t.strictSame(await made('ITEM', '504-1', { retries: 5 }), [200, 2])
  t.strictSame(await made('ITEM', 'gone-3', { retries: 3 }), [200, 4])
  t.strictSame(await made('ITEM', 'wait-1', { retries: 1 }), [200, 2])
  t.strictSame(await made('ITEM', 'date-1', { retries: 1 }), [200, 2])
  t.strictSame(await made('ITEM', 'big-1', { retries: 1 }), [200, 2])
  t.strictSame(await made('ITEM', 'plain-1', { retries: 3 }), [429, 1], 'it does not say when')
  t.strictSame(await made('ITEM', '500-1', { retries: 3 }), [500, 1], 'not for this')
  t.strictSame(await made('ITEM', '404-1', { retries: 3 }), [404, 1])
  t.strictSame(await made('ITEM', '503-1-c', { retries: 0 }), [503, 1])
  t.strictSame(await made('ITEM', '503-1-d', {}), [503, 1])
  const begun = Date.now()
  const bounded = { retries: 3, timeout_ms: 20_000 }
  t.strictSame(await made('ITEM', 'later-1', bounded), [503, 1], 'there is no time for that')
  t.ok(Date.now() - begun < 20_000, 'and it is not waited for')
  const kept = { retries: 1, idempotency_key: 'k' }
  t.strictSame(await made('ADD', '503-1-e', kept), [200, 2])
  await run(gateway, token, { tool: 'SET', args: { id: '503-1-f', n: 7 }, control: { retries: 1 } })
  t.strictSame(came.get('/items/503-1-f'), ['{"n":7}', '{"n":7}'], 'its body goes again')
  const refused = { tool: 'ADD', args: { id: '503-1-g' }, control: { retries: 1 } }
  t.match(await run(gateway, token, refused), {
    status: 400,
    body: {
      code: 'not_supported',
      reasons: [{ axis: 'control.retries', repair: /idempotency_key/ }],
    },
  })
  t.equal(came.get('/items/503-1-g'), undefined)
  const calls = [{ key: 'a', tool: 'ITEM', args: { id: '503-1-h' }, control: { retries: 1 } }]
  const { body } = await post(gateway, token, '/api/invoke-json', calls)
  t.match(body, { results: [{ ok: true, output: { after: 1 } }] })
  const rpc = { jsonrpc: '2.0', id: 1, method: 'ITEM', params: { id: '503-1-i' } }
  const retried = await post(gateway, token, '/g/rpc', { ...rpc, control: { retries: 1 } })
  t.match(retried.body, { id: 1, result: { after: 1 } })
}

async function attempts(t: Test, gateway: TestGateway) {
  const token = gateway.mint('tools = ITEM', 'uses <= 2', 'task = T-1')
  const form = { tool: 'ITEM', args: { id: '503-9' }, control: { retries: 5 } }
  t.match(await run(gateway, token, form), { status: 429, body: { code: 'uses_spent' } })
  t.equal(came.get('/items/503-9')?.length, 2)
  const records = (await gateway.receipts()).filter(({ task }) => task === 'T-1')
  t.strictSame(
    records.map(({ outcome, status }) => [outcome, status]),
    [
      ['allowed', 503],
      ['allowed', 503],
      ['refused', undefined],
    ],
  )
}

/** Calls, and what they would get. */
const DRY: readonly (readonly [id: string, lines: readonly string[], code: string | undefined])[] =
  [
    ['a', ['tools = ITEM'], undefined],
    ['b', ['tools = ITEM', 'arg ITEM.id = a'], 'arg_refused'],
    ['a', ['tools = OTHER', 'uses <= 0'], 'tool_not_granted'],
    ['a', ['tools = ITEM', 'uses <= 0'], 'uses_spent'],
    ['a', ['tools = ITEM', 'expires < 2020-01-01T00:00:00Z'], 'expired'],
    ['a', ['tools = ITEM', 'person = p_1'], 'person_mismatch'],
  ]

async function dryRuns(t: Test, gateway: TestGateway) {
  for (const [id, lines, code] of DRY) {
    const token = gateway.mint(...lines)
    const form = { tool: 'ITEM', args: { id }, control: { dry_run: true } }
    const { status, body } = await run(gateway, token, form)
    t.equal(status, 200)
    const { dry_run: dry, tool, args, ...verdict } = body
    t.strictSame([dry, verdict['allowed'], verdict['code']], [true, code === undefined, code])
    if (code !== 'expired') t.strictSame([tool, args], ['ITEM', { id }])
    const why = await whyOf(gateway, { token, method: 'GET', url: `http://${HOST}/items/${id}` })
    t.match(untimed(why), untimed(verdict), `as why says it: ${lines.join('; ')}`)
    const calls = [{ key: 'a', ...form }]
    const batch = await post(gateway, token, '/api/invoke-json', calls)
    const same = { ...untimed(verdict), dry_run: true }
    t.match(untimed(batch.body), { results: [{ ok: true, output: same }] })
    const request = { jsonrpc: '2.0', id: 1, method: 'ITEM', params: { id } }
    const rpc = await post(gateway, token, '/g/rpc', { ...request, control: { dry_run: true } })
    t.match(untimed(rpc.body), { result: same })
  }
  const token = gateway.mint('tools = ITEM', 'ways = link')
  const form = { tool: 'ITEM', args: { id: 'a' }, control: { dry_run: true, retries: 2 } }
  t.match(await run(gateway, token, form), { body: { allowed: false, code: 'way_not_granted' } })
}

/** What was refused for its time says when that was. */
function untimed<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(/[0-9T:.-]{19,}Z/g, 'then'))
}

async function whyOf(gateway: TestGateway, question: object): Promise<unknown> {
  const owner = portOf(gateway.gateway.addresses.owner)
  const key = readFileSync(statePaths(gateway.state).ownerKey, 'utf8').trim()
  const answer = await fetch(`http://127.0.0.1:${owner}/api/why`, {
    method: 'POST',
    headers: { 'x-narrowgate-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })
  return answer.json()
}

async function leavesNothing(t: Test, gateway: TestGateway) {
  const token = gateway.mint('tools = ADD', 'uses <= 1')
  const before = gateway.records().length
  const form = { tool: 'ADD', args: { id: 'dry-0', n: 1 } }
  for (let at = 0; at < 3; at++) {
    const dry = await run(gateway, token, { ...form, control: { dry_run: true } })
    t.match(dry.body, { allowed: true, reasons: [], args: { id: 'dry-0', n: 1 } })
  }
  const stray = { ...form, args: { id: 'dry-0', m: 1 }, control: { dry_run: true } }
  t.match(await run(gateway, token, stray), {
    status: 200,
    body: { dry_run: true, allowed: false, code: 'unknown_field', reasons: [{ axis: 'args.m' }] },
  })
  t.equal(gateway.records().length, before, 'no receipt')
  t.equal(came.get('/items/dry-0'), undefined, 'nothing sent')
  t.equal((await run(gateway, token, form)).status, 200, 'the use is still there')
  t.equal((await run(gateway, token, form)).status, 429)
}

await flow('how a call is carried out', SETUP, async (t, gateway) => {
  await t.test('a call that came to nothing is made again', (t) => again(t, gateway))
  await t.test('each attempt is one use, and one receipt', (t) => attempts(t, gateway))
  await t.test('a dry run says what the call would get', (t) => dryRuns(t, gateway))
  await t.test('a dry run leaves nothing', (t) => leavesNothing(t, gateway))
})
