import { once } from 'node:events'
import t from 'tap'
import { faultOf, rawServer, requestTo, send, upstreamFor } from './helpers/upstream.ts'

const SWITCH =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'

t.test('an upgrade carries the raw connection, first bytes included', async (t) => {
  const server = await rawServer(t, (socket, text) => {
    if (text.endsWith('\r\n\r\n')) socket.write(SWITCH + 'first')
    else if (text.endsWith('ping')) socket.end('pong')
  })
  const answer = await send(upstreamFor(t), requestTo(server.port, { upgrade: true }))
  t.equal(answer.status, 101)
  t.match(server.received[0], /Connection: Upgrade\r\nUpgrade: websocket\r\n/)
  let got = ''
  answer.socket?.on('data', (chunk: Buffer) => (got += chunk.toString()))
  answer.socket?.write('ping')
  if (answer.socket !== undefined) await once(answer.socket, 'end')
  t.equal(got, 'firstpong')
})

t.test('an upgrade that is declined is a plain answer', async (t) => {
  const server = await rawServer(t, (socket) =>
    socket.end('HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n'),
  )
  const answer = await send(upstreamFor(t), requestTo(server.port, { upgrade: true }))
  t.equal(answer.status, 403)
  t.equal(answer.socket, undefined)
})

t.test('a 101 that nobody asked for is invalid', async (t) => {
  const server = await rawServer(t, (socket) => socket.write(SWITCH))
  const fault = await faultOf(send(upstreamFor(t), requestTo(server.port)))
  t.equal(fault['code'], 'upstream_invalid')
})

t.test('an abort closes the switched connection', async (t) => {
  let closed: () => void = () => {}
  const gone = new Promise<void>((resolve) => (closed = resolve))
  const server = await rawServer(t, (socket) => {
    socket.on('close', closed)
    socket.write(SWITCH)
  })
  const stop = new AbortController()
  await send(upstreamFor(t), requestTo(server.port, { upgrade: true, signal: stop.signal }))
  stop.abort()
  await t.resolves(gone)
})
