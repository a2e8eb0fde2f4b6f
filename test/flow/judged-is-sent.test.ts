import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Test } from 'tap'
import { flow, KEY, type TestGateway } from '../helpers/gateway.ts'
import { MOUNT } from '../helpers/shapes.ts'
import { bodyOf } from '../helpers/upstream.ts'

// The head that the lines judge is the head that the upstream gets; where the two could differ the call is refused.

const ROWS = [
  {
    name: 'SEND',
    method: 'POST',
    path: '/send',
    args: { properties: { to: { in: 'body', type: 'string' } } },
  },
  {
    name: 'LOOK',
    method: 'GET',
    path: '/look',
    args: { properties: { 'x-to': { in: 'header', type: 'string' } } },
  },
]
const GOOD = '{"to":"a@acme.test"}'

/** Sends a request as it stands, `$TOKEN` filled in, and gives the answer. */
async function raw(gateway: TestGateway, token: string, lines: readonly string[], body = '') {
  const basic = Buffer.from(`agent:${token}`).toString('base64')
  const head = [...lines, `Proxy-Authorization: Basic ${basic}`, 'Connection: close']
  const socket = connect(gateway.proxyPort, '127.0.0.1')
  socket.write(`${head.join('\r\n').replaceAll('$TOKEN', token)}\r\n\r\n${body}`)
  const answer = Buffer.concat(await socket.toArray()).toString('latin1')
  return {
    status: Number(answer.slice(9, 12)),
    code: /^refused: (\S+)/im.exec(answer)?.[1],
    answer,
  }
}

const post = (...lines: readonly string[]) => [
  'POST http://api.test/send HTTP/1.1',
  'Host: api.test',
  `Content-Length: ${GOOD.length}`,
  ...lines,
]
const look = (...lines: readonly string[]) => [
  'GET http://api.test/look HTTP/1.1',
  'Host: api.test',
  ...lines,
]

const AMBIGUOUS: readonly (readonly [name: string, lines: readonly string[], body: string])[] = [
  ['an argument in two header lines', look('x-to: a@acme.test', 'x-to: evil@x.test'), ''],
  ['an argument that Connection takes away', look('x-to: a@acme.test', 'Connection: x-to'), ''],
  [
    'two media types',
    post('Content-Type: application/json', 'Content-Type: application/x-www-form-urlencoded'),
    GOOD,
  ],
  [
    'a media type that Connection takes away',
    post('Content-Type: application/json', 'Connection: content-type'),
    GOOD,
  ],
  [
    'a charset in which it is another text',
    post('Content-Type: application/json; charset=utf-7'),
    GOOD,
  ],
  ['a coding', post('Content-Type: application/json', 'Content-Encoding: gzip'), GOOD],
]

flow(
  'a call whose head could be read in two ways is refused',
  { rows: ROWS },
  async (t, gateway) => {
    const token = gateway.mint(
      'tools = SEND,LOOK',
      'arg SEND.to glob *@acme.test',
      'arg LOOK.x-to glob *@acme.test',
    )
    const fine = await raw(
      gateway,
      token,
      post('Content-Type: application/json; charset=UTF-8'),
      GOOD,
    )
    t.equal(fine.status, 200, 'a plain one passes')
    t.equal((await raw(gateway, token, look('x-to: a@acme.test'))).status, 200, 'and so does this')
    for (const [name, lines, body] of AMBIGUOUS) {
      const { status, code } = await raw(gateway, token, lines, body)
      t.ok(status === 400 || status === 403, `${name}: ${status} ${code}`)
      t.match(code, /^(malformed_request|arg_refused)$/, name)
    }
    t.equal(gateway.upstreams.arrived.length, 2, 'the upstream saw none of them')
  },
)

flow('a want in two lines is refused', {}, async (t, gateway) => {
  const lines = ['GET http://api.test/ HTTP/1.1', 'Host: api.test', 'want: a', 'want: b']
  const { status, code } = await raw(gateway, gateway.mint('tools = HTTP_GET'), lines)
  t.same([status, code], [400, 'malformed_request'])
})

flow(
  'a body is not asked for where the rest of the call is refused already',
  { rows: ROWS },
  async (t, gateway) => {
    const token = gateway.mint('tools = OTHER', 'arg SEND.to glob *@acme.test')
    const { answer, code } = await raw(
      gateway,
      token,
      post('Content-Type: application/json', 'Expect: 100-continue'),
    )
    t.equal(code, 'tool_not_granted')
    t.notMatch(answer, /^HTTP\/1.1 100/, 'no 100 before the refusal')
  },
)

const seen: { fields: readonly string[] } = { fields: [] }
const echo = async (req: IncomingMessage, res: ServerResponse) => {
  await bodyOf(req)
  seen.fields = [...req.rawHeaders, ...req.rawTrailers]
  const range = req.headers.range
  res.writeHead(range === undefined ? 200 : 206, { 'content-type': 'text/plain' })
  res.end(range === undefined ? `the key is ${KEY}` : `the key is ${KEY}`.slice(0, 20))
}

flow(
  'a key is not fetched in parts',
  { serve: echo, keys: [{ header: 'authorization', format: 'Bearer {}' }] },
  async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_GET')
    const lines = [
      'GET http://api.test/ HTTP/1.1',
      'Host: api.test',
      'Range: bytes=0-19',
      'If-Range: "x"',
    ]
    const { status, answer } = await raw(gateway, token, lines)
    t.equal(status, 200)
    t.notOk(answer.includes(KEY.slice(0, 8)), 'no beginning of the key')
    t.notMatch(seen.fields.join('\n'), /range/i, 'no range was asked for')
  },
)

flow('the token stays here, wherever a client puts it', { serve: echo }, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_GET')
  const places = [
    'Authorization: Bearer $TOKEN',
    'x-api-key: $TOKEN',
    'api-key: $TOKEN',
    'x-debug: token=$TOKEN;',
    `Cookie: auth=$TOKEN`,
  ]
  await raw(gateway, token, ['GET http://api.test/ HTTP/1.1', 'Host: api.test', ...places])
  assertClean(t, token)
  await raw(gateway, token, [`GET ${MOUNT}/ HTTP/1.1`, 'Host: gw', ...places])
  assertClean(t, token)
})

function assertClean(t: Test, token: string): void {
  t.ok(seen.fields.length > 0, 'the upstream was reached')
  t.notOk(seen.fields.join('\n').includes(token), 'no field holds the token')
}

flow('trailers do not say anew what the head said', { serve: echo }, async (t, gateway) => {
  const lines = [
    'POST http://api.test/ HTTP/1.1',
    'Host: api.test',
    'Transfer-Encoding: chunked',
    'Trailer: x-sum',
    'x-kind: a',
  ]
  const body =
    '2\r\nhi\r\n0\r\nx-sum: 7\r\nhost: evil.test\r\nauthorization: Bearer x\r\nx-kind: b\r\n\r\n'
  await raw(gateway, gateway.mint('tools = HTTP_POST'), lines, body)
  const text = seen.fields.join('\n')
  t.match(text, /x-sum\n7/, 'a checksum passes')
  t.notMatch(text, /evil|Bearer x|x-kind\nb/, 'nothing else does')
})

const got: { text: string } = { text: '' }
flow(
  'a body that no line looks at goes on as it is, however broken',
  {
    rows: ROWS,
    serve: async (req, res) => {
      got.text = (await bodyOf(req)).toString()
      res.end('ok')
    },
  },
  async (t, gateway) => {
    const broken = '{"to":1,"to":2'
    const lines = post('Content-Type: application/json').map((line) =>
      line.startsWith('Content-Length') ? `Content-Length: ${broken.length}` : line,
    )
    t.equal((await raw(gateway, gateway.mint('tools = SEND'), lines, broken)).status, 200)
    t.equal(got.text, broken, 'byte for byte')
    const looking = gateway.mint('tools = SEND', 'arg SEND.to = 2')
    t.equal((await raw(gateway, looking, lines, broken)).code, 'malformed_request')
  },
)
