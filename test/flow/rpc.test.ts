import { flow, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { answerJson } from '../helpers/upstream.ts'

const id = { in: 'path', type: 'string', required: true } as const
const SETUP: Setup = {
  rows: [{ name: 'ITEM', method: 'GET', path: '/items/{id}', args: { properties: { id } } }],
  serve: (req, res) => answerJson(res, { url: req.url }, req.url === '/items/none' ? 404 : 200),
}

async function ask(gateway: TestGateway, token: string, body: string) {
  const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}/g/rpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
}

const item = (id: string, more: object = {}) => ({
  jsonrpc: '2.0',
  method: 'ITEM',
  params: { id },
  ...more,
})
const failed = (id: string | number | null, code: number) => ({
  jsonrpc: '2.0',
  id,
  error: { code },
})
const done = (id: string | number | null, url: string) => ({ jsonrpc: '2.0', id, result: { url } })

flow('a tool is a method of JSON-RPC', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = ITEM,GONE', 'ways = rest', 'arg ITEM.id in a,b,none')
  const one = async (request: unknown) =>
    (await ask(gateway, token, JSON.stringify(request))).body as object
  t.strictSame(await one(item('a', { id: 1 })), done(1, '/items/a'))
  t.strictSame(await one(item('b', { id: null })), done(null, '/items/b'))
  t.match(await one(item('c', { id: 'x' })), {
    ...failed('x', -32_001),
    error: { data: { code: 'arg_refused', ran: false } },
  })
  t.match(await one(item('none', { id: 2 })), {
    ...failed(2, -32_001),
    error: { data: { status: 404, output: { url: '/items/none' } } },
  })
  t.match(await one({ ...item('a', { id: 3 }), method: 'GONE' }), failed(3, -32_601))
  t.match(await one({ ...item('a', { id: 4 }), params: { nr: 1 } }), failed(4, -32_602))
  t.match(await one({ ...item('a', { id: 5 }), params: ['a'] }), failed(5, -32_602))
  for (const bad of [{ ...item('a'), jsonrpc: '1.0' }, { ...item('a'), method: 1 }, 'x', 1, []])
    t.match(await one(bad), failed(null, -32_600), JSON.stringify(bad))
  t.match(await one(item('a', { id: {} })), failed(null, -32_600))
  const taking = [
    item('a', { id: 1 }),
    { ...item('b', { id: 2 }), params: { id: { $from: '0.url' } } },
  ]
  t.match(await one(taking), [done(1, '/items/a'), failed(2, -32_001)], 'a list is no batch')
  t.match(await one(item('a', { id: 7, more: 1 })), failed(7, -32_600))
  t.match((await ask(gateway, token, '{"jsonrpc":')).body, failed(null, -32_700))
  const many = [item('a', { id: 'x' }), item('b'), 1, item('c', { id: 'y' })]
  t.match(await one(many), [done('x', '/items/a'), failed(null, -32_600), failed('y', -32_001)])
  t.strictSame(await ask(gateway, token, JSON.stringify([item('a'), item('b')])), {
    status: 204,
    body: undefined,
  })
  t.strictSame(gateway.upstreams.arrived.filter((line) => line.endsWith('/b')).length, 3)
})

flow('who has no token gets no answer of the protocol', SETUP, async (t, gateway) => {
  const elsewhere = gateway.mint('tools = ITEM', 'ways = link')
  t.match(await ask(gateway, 'g1.e30.x', JSON.stringify(item('a', { id: 1 }))), {
    status: 401,
    body: { code: 'token_malformed' },
  })
  t.match(await ask(gateway, elsewhere, JSON.stringify(item('a', { id: 1 }))), {
    status: 200,
    body: failed(1, -32_001),
  })
  t.strictSame(gateway.upstreams.arrived, [])
})
