import t from 'tap'
import { faultOf, rawServer, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

const timeouts = { connect: 5_000, head: 5_000, idle: 5_000 }

t.test('connect covers TLS, and nothing was sent', async (t) => {
  const server = await rawServer(t, () => {})
  const origin = { scheme: 'https', host: '127.0.0.1', port: server.port } as const
  const request = requestTo(server.port, { origin, timeouts: { ...timeouts, connect: 80 } })
  const fault = await faultOf(send(upstreamFor(t), request))
  t.equal(fault['code'], 'upstream_timeout')
  t.equal(fault['sent'], 'no')
})

t.test('connect covers the resolver', async (t) => {
  const origin = { scheme: 'http', host: 'up.test', port: 80 } as const
  const request = requestTo(80, { origin, timeouts: { ...timeouts, connect: 80 } })
  const fault = await faultOf(
    send(upstreamFor(t, { lookup: () => new Promise(() => {}) }), request),
  )
  t.equal(fault['code'], 'upstream_timeout')
  t.match(fault['message'], /`80` ms/)
})

t.test('no head in time, even where bytes of it trickle', async (t) => {
  const server = await rawServer(t, (socket) => {
    const timer = setInterval(() => socket.write('x'), 20)
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    socket.on('close', () => clearInterval(timer))
  })
  const fault = await faultOf(
    send(upstreamFor(t), requestTo(server.port, { timeouts: { ...timeouts, head: 100 } })),
  )
  t.equal(fault['code'], 'upstream_timeout')
  t.equal(fault['sent'], 'unknown')
})

t.test('silence within the body', async (t) => {
  const server = await rawServer(t, (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'),
  )
  const answer = await send(
    upstreamFor(t),
    requestTo(server.port, { timeouts: { ...timeouts, idle: 80 } }),
  )
  t.equal((await faultOf(textOf(answer.body)))['code'], 'upstream_timeout')
})

t.test('a slow reader is not held against the upstream', async (t) => {
  const size = 2 ** 20
  const server = await rawServer(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`)
    socket.write(Buffer.alloc(size))
  })
  const answer = await send(
    upstreamFor(t),
    requestTo(server.port, { timeouts: { ...timeouts, idle: 60 } }),
  )
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.equal((await textOf(answer.body)).length, size)
})
