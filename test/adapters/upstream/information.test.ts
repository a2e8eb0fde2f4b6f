import { Readable } from 'node:stream'
import t from 'tap'
import { OK, rawServer, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

const expecting = ['Host', 'up.test', 'Expect', '100-Continue', 'Content-Length', '3']

t.test('1xx answers come as they are, before the answer', async (t) => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  const server = await rawServer(t, (socket) =>
    socket.end(hint + 'HTTP/1.1 102 Processing\r\n\r\n' + OK),
  )
  const seen: unknown[] = []
  const onInformation = (status: number, headers: readonly string[]) => seen.push(status, headers)
  const answer = await send(upstreamFor(t), requestTo(server.port, { onInformation }))
  t.same(seen, [103, ['Link', '</a>'], 102, []])
  t.equal(await textOf(answer.body), 'ok')
})

t.test('with Expect the body waits for the 100', async (t) => {
  let early = false
  const server = await rawServer(t, (socket, text) => {
    if (text.endsWith('abc')) return socket.end(OK)
    setTimeout(() => {
      early = (server.received[0] ?? '').endsWith('abc')
      socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    }, 50)
  })
  const body = Readable.from([Buffer.from('abc')])
  const answer = await send(
    upstreamFor(t),
    requestTo(server.port, { method: 'PUT', headers: expecting, body }),
  )
  t.equal(answer.status, 200)
  t.notOk(early)
})

t.test('with Expect a final answer leaves the body unread and closes the connection', async (t) => {
  let closed = false
  const server = await rawServer(t, (socket) => {
    socket.on('close', () => (closed = true))
    socket.write('HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n')
  })
  let read = false
  const body = new Readable({ highWaterMark: 0, read: () => void (read = true) })
  const answer = await send(
    upstreamFor(t),
    requestTo(server.port, { method: 'PUT', headers: expecting, body }),
  )
  await textOf(answer.body)
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal(answer.status, 417)
  t.notOk(read)
  t.ok(closed)
})

t.test('an upstream that does not know Expect gets the body after a second', async (t) => {
  const server = await rawServer(t, (socket, text) => text.endsWith('abc') && socket.end(OK))
  const body = Readable.from([Buffer.from('abc')])
  const start = Date.now()
  const answer = await send(
    upstreamFor(t),
    requestTo(server.port, { method: 'PUT', headers: expecting, body }),
  )
  t.equal(answer.status, 200)
  t.ok(Date.now() - start >= 950)
})
