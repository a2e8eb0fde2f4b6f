import { Readable } from 'node:stream'
import t from 'tap'
import { faultOf, OK, rawServer, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

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

t.test('what onInformation throws costs that interim answer alone', async (t) => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  const server = await rawServer(t, (socket) => socket.end(hint + hint + OK))
  let called = 0
  const onInformation = () => {
    called += 1
    throw new TypeError('cannot be written')
  }
  const answer = await send(upstreamFor(t), requestTo(server.port, { onInformation }))
  t.equal(await textOf(answer.body), 'ok')
  t.equal(called, 2)
})

for (const [name, hint, most] of [
  ['1xx answers without end', 'HTTP/1.1 103 Early Hints\r\n\r\n', 32],
  ['100 answers without end', 'HTTP/1.1 100 Continue\r\n\r\n', 0],
  ['1xx answers of many bytes', `HTTP/1.1 103 E\r\nX: ${'x'.repeat(8_000)}\r\n\r\n`, 8],
] as const) {
  t.test(`${name} are invalid and the connection is closed`, async (t) => {
    let closed = false
    const server = await rawServer(t, (socket) => {
      socket.on('close', () => (closed = true))
      const more = () => {
        while (!socket.destroyed && socket.write(hint.repeat(10)));
      }
      socket.on('drain', () => setImmediate(more))
      more()
    })
    let seen = 0
    const onInformation = () => void (seen += 1)
    const fault = await faultOf(send(upstreamFor(t), requestTo(server.port, { onInformation })))
    t.equal(fault['code'], 'upstream_invalid', String(fault['message']))
    t.equal(seen, most)
    while (!closed) await new Promise((resolve) => setTimeout(resolve, 5))
  })
}

t.test('as many 1xx answers as are allowed pass', async (t) => {
  const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(32)
  const server = await rawServer(t, (socket) => socket.end(hints + OK))
  t.equal((await send(upstreamFor(t), requestTo(server.port))).status, 200)
})
