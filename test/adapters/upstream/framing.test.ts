import { Readable } from 'node:stream'
import t from 'tap'
import { faultOf, OK, rawServer, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

const body = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)))
const host = ['Host', 'up.test']

t.test('a body of unknown length is chunked for every method, trailers behind it', async (t) => {
  for (const method of ['POST', 'DELETE', 'GET', 'OPTIONS']) {
    const server = await rawServer(
      t,
      (socket, text) => text.endsWith('X-T: 1\r\n\r\n') && socket.end(OK),
    )
    const answer = await send(
      upstreamFor(t),
      requestTo(server.port, {
        method,
        headers: host,
        body: body('abc', 'de'),
        trailers: () => ['X-T', '1'],
      }),
    )
    t.equal(await textOf(answer.body), 'ok')
    const text = server.received[0] ?? ''
    t.match(text, /\r\nTransfer-Encoding: chunked\r\n/)
    t.notMatch(text, /content-length/i)
    // How the pieces are put into chunks is the runtime's matter.
    t.match(text, /\r\n(?:3\r\nabc\r\n2\r\nde|5\r\nabcde)\r\n0\r\nX-T: 1\r\n\r\n$/)
  }
})

t.test('a body of known length keeps its length', async (t) => {
  const server = await rawServer(t, (socket, text) => text.endsWith('abcde') && socket.end(OK))
  const headers = [...host, 'content-length', '5']
  const request = requestTo(server.port, { method: 'DELETE', headers, body: body('abc', 'de') })
  t.equal((await send(upstreamFor(t), request)).status, 200)
  t.notMatch(server.received[0], /transfer-encoding/i)
})

t.test('no body: length 0 where a method anticipates one, no framing otherwise', async (t) => {
  const server = await rawServer(t, (socket) => socket.write(OK))
  const upstream = upstreamFor(t)
  for (const method of ['POST', 'GET'])
    await textOf((await send(upstream, requestTo(server.port, { method }))).body)
  const [post = '', get = ''] = (server.received[0] ?? '').split('\r\n\r\n')
  t.match(post, /Content-Length: 0/)
  t.notMatch(get, /content-length|transfer-encoding/i)
})

t.test('contradictory framing is never written', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const upstream = upstreamFor(t)
  const bad = [
    ['Content-Length', '1', 'content-length', '1'],
    ['Content-Length', '1', 'Transfer-Encoding', 'chunked'],
    ['Transfer-Encoding', 'chunked'],
    ['Content-Length', '+1'],
    ['Content-Length', '1, 1'],
  ]
  for (const fields of bad) {
    const request = requestTo(server.port, {
      method: 'POST',
      headers: [...host, ...fields],
      body: body('a'),
    })
    await t.rejects(send(upstream, request), TypeError, fields.join())
  }
  const promised = requestTo(server.port, {
    method: 'POST',
    headers: [...host, 'Content-Length', '4'],
  })
  await t.rejects(send(upstream, promised), TypeError)
  t.same(server.received, [])
})

t.test('a body that breaks its promise never becomes a second request', async (t) => {
  const server = await rawServer(t, () => {})
  for (const parts of [['abcde', 'GET /evil HTTP/1.1\r\n\r\n'], ['abc']]) {
    const headers = [...host, 'Content-Length', '5']
    const request = requestTo(server.port, { method: 'POST', headers, body: body(...parts) })
    const fault = await faultOf(send(upstreamFor(t), request))
    t.equal(fault['code'], 'upstream_failed')
    t.equal(fault['sent'], 'unknown')
  }
  t.notMatch(server.received.join(), /evil/)
})
