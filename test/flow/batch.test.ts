import type { Test } from 'tap'
import { flow, KEY, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'

const id = { in: 'path', type: 'string', required: true } as const
const ROWS: Setup['rows'] = [
  { name: 'ITEM', method: 'GET', path: '/items/{id}', args: { properties: { id } } },
  { name: 'NEST', method: 'GET', path: '/nests/{id}', args: { properties: { id } } },
  {
    name: 'MAKE',
    method: 'POST',
    path: '/items',
    args: { properties: { of: { in: 'body' }, n: { in: 'body', type: 'integer' } } },
  },
]

let open = 0
let most = 0

const SETUP: Setup = {
  rows: ROWS,
  keys: [{ header: 'x-key' }],
  async serve(req, res) {
    most = Math.max(most, ++open)
    const body = (await bodyOf(req)).toString()
    const slow = req.url === '/items/slow'
    await new Promise((resolve) => setTimeout(resolve, slow ? 300 : 20))
    open -= 1
    if (req.url === '/items/gone') return void res.destroy()
    if (req.url === '/items/text') return void res.end('plain')
    if (req.url === '/items/bytes') return void res.end(Buffer.from([0xff, 0xfe]))
    if (req.url === '/items/huge') return void res.end('x'.repeat(5 * 2 ** 20))
    const status = req.url === '/items/none' ? 404 : 200
    const number = '12345678901234567890'
    if (req.url === '/items/number') {
      res.setHeader('content-type', 'application/json')
      return void res.end(`{"id":${number},"id2":1.0}`)
    }
    const key = req.headers['x-key'] === KEY
    answerJson(res, { url: req.url, method: req.method, key, list: [{ id: 'a/b' }], body }, status)
  },
}

interface Result {
  readonly key: string
  readonly ok: boolean
  readonly status: number
  readonly output?: unknown
  readonly error?: { readonly code: string; readonly ran: boolean | 'unknown' }
  readonly receipt?: string
}

function post(gateway: TestGateway, token: string, body: string, accept = '*/*') {
  return fetch(`http://127.0.0.1:${gateway.proxyPort}/api/invoke-json`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept },
    body,
  })
}

async function batchOf(t: Test, gateway: TestGateway, token: string, calls: readonly unknown[]) {
  const answer = await post(gateway, token, JSON.stringify(calls))
  t.equal(answer.status, 200)
  const { batch, results } = (await answer.json()) as { batch: string; results: Result[] }
  t.equal(answer.headers.get('batch'), batch)
  return { batch, results, of: new Map(results.map((result) => [result.key, result])) }
}

const codeOf = (result: Result | undefined) => result?.error?.code

flow('many calls in one round trip, each a call of its own', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = ITEM,NEST,MAKE,HTTP_*', 'ways = batch', 'arg ITEM.id glob *')
  const http = {
    url: `http://${HOST}/items?x=1`,
    method: 'PUT',
    headers: { 'X-A': 'b' },
    body: [1],
  }
  const { batch, results, of } = await batchOf(t, gateway, token, [
    { key: 'first', tool: 'ITEM', args: { id: 'slow' }, select: ['list[].id'] },
    { key: 'nest', tool: 'NEST', args: { id: { $from: 'first.list.0.id' } } },
    {
      key: 'made',
      tool: 'MAKE',
      args: { of: { deep: [{ $from: 'nest' }] }, n: 3 },
      with: ['http'],
    },
    { key: 'http', ...http },
    { key: 'missing', tool: 'ITEM', args: { id: 'none' } },
    { key: 'after', tool: 'ITEM', args: { id: { $from: 'missing.url' } } },
    { key: 'nowhere', tool: 'ITEM', args: { id: { $from: 'first.list.7' } } },
    { key: 'text', tool: 'ITEM', args: { id: 'text' } },
    { key: 'bytes', tool: 'ITEM', args: { id: 'bytes' } },
    { key: 'gone', tool: 'ITEM', args: { id: 'gone' } },
    { key: 'huge', tool: 'ITEM', args: { id: 'huge' } },
    { key: 'stray', tool: 'ITEM', args: { id: 'x', more: 1 } },
    { key: 'other', tool: 'SECRET' },
    { tool: 'ITEM', args: { id: 'unnamed' } },
  ])
  t.same(
    results.map(({ key }) => key).slice(0, 4),
    ['first', 'nest', 'made', 'http'],
    'in the order of the calls',
  )
  t.match(of.get('first'), { ok: true, status: 200, output: { list: [{ id: 'a/b' }] } })
  t.match(of.get('nest')?.output, { url: '/nests/a%2Fb', key: true })
  const made = of.get('made') as { readonly output: { readonly body: string } }
  t.same(JSON.parse(made.output.body), { of: { deep: [of.get('nest')?.output] }, n: 3 })
  t.match(of.get('http')?.output, { method: 'PUT', url: '/items?x=1', body: '[1]' })
  t.match(of.get('missing'), { ok: false, status: 404, output: { url: '/items/none' } })
  t.equal(codeOf(of.get('after')), 'dependency_failed')
  t.equal(codeOf(of.get('nowhere')), 'dependency_failed')
  t.match(of.get('text'), { ok: true, output: 'plain' })
  t.match(of.get('bytes'), { ok: true, output: { base64: '//4=' } })
  t.equal(codeOf(of.get('gone')), 'upstream_failed')
  t.equal(codeOf(of.get('huge')), 'too_large')
  t.equal(codeOf(of.get('stray')), 'unknown_field')
  t.equal(codeOf(of.get('other')), 'not_found')
  t.match(of.get('13'), { ok: true, output: { url: '/items/unnamed' } })
  for (const { key, receipt } of results) {
    const wanted = { id: receipt, batch, door: 'batch' }
    t.match(gateway.receipt(receipt), wanted, `${key} has its receipt`)
  }
})

flow('numbers keep their digits, and calls are refused one by one', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = ITEM', 'ways = batch', 'uses <= 5', 'arg ITEM.id in number,x')
  const calls = [
    { key: 'a', tool: 'ITEM', args: { id: 'number' } },
    { key: 'b', tool: 'ITEM', args: { id: 'y' } },
    { key: 'c', tool: 'ITEM', args: { id: { $from: 'c' } } },
    { key: 'd', tool: 'ITEM', args: { id: { $from: 'e' } } },
    { key: 'e', tool: 'ITEM', args: { id: { $from: 'd' } } },
    { key: 'f', tool: 'ITEM', with: ['nobody'] },
    { key: 'a', tool: 'ITEM' },
    { key: 'no key' },
    7,
    { key: 'g', url: `http://${HOST}/`, headers: { 'x-a': 'b\r\nc' } },
    { key: 'h', url: `http://${HOST}/items/x`, more: 1 },
    ...Array.from({ length: 10 }, () => ({ tool: 'ITEM', args: { id: 'x' } })),
  ]
  const text = await (await post(gateway, token, JSON.stringify({ calls }))).text()
  t.match(text, '"id":12345678901234567890')
  const { results } = JSON.parse(text) as { results: Result[] }
  const codes = results.map((result) => codeOf(result) ?? 'allowed')
  t.strictSame(codes.slice(0, 11), [
    'allowed',
    'arg_refused',
    ...Array<string>(7).fill('malformed_request'),
    'malformed_request',
    'unknown_field',
  ])
  t.equal(codes.filter((code) => code === 'allowed').length, 5, 'the uses of the token')
  t.equal(codes.filter((code) => code === 'uses_spent').length, 6)
  const others = gateway.mint('tools = ITEM', 'ways = rest')
  const [refused] = (await batchOf(t, gateway, others, [{ tool: 'ITEM', args: { id: 'x' } }]))
    .results
  t.equal(codeOf(refused), 'way_not_granted')
})

flow('two hundred calls, and no more; as they finish', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = ITEM')
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ tool: 'ITEM', args: { id: `${at}` } }))
  most = 0
  const { results } = await batchOf(t, gateway, token, many(200))
  t.equal(results.filter(({ ok }) => ok).length, 200)
  t.ok(most > 4 && most <= 16, `${most} at once`)
  for (const body of [many(201), [], {}, { calls: [], more: 1 }, 'x']) {
    const answer = await post(gateway, token, JSON.stringify(body))
    t.equal(answer.status, 400)
    t.match(gateway.receipt(answer.headers.get('receipt') ?? ''), { outcome: 'refused' })
  }
  const slow = [
    { key: 'slow', tool: 'ITEM', args: { id: 'slow' } },
    { tool: 'ITEM', args: { id: '1' } },
  ]
  for (const [accept, line] of [
    ['application/x-ndjson', /^(\{.*\})$/gm],
    ['text/event-stream', /^data: (\{.*\})\n$/gm],
  ] as const) {
    const answer = await post(gateway, token, JSON.stringify(slow), accept)
    t.equal(answer.headers.get('content-type'), accept)
    const found = [...(await answer.text()).matchAll(line)].map(([, text = '']) => JSON.parse(text))
    t.strictSame(
      found.map(({ key }: Result) => key),
      ['1', 'slow'],
      'the first to finish is the first to come',
    )
  }
})
