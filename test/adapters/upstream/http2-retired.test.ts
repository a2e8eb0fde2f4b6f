import type { TLSSocket } from 'node:tls'
import t from 'tap'
import { frame, frameServer, ok, reset } from './helpers/http2-frames.ts'
import { http2Server } from './helpers/http2-server.ts'
import { overHttp2 } from './helpers/over-http2.ts'
import { faultOf, send, textOf, upstreamFor } from './helpers/upstream.ts'

const CALM = 0xb
const END_STREAM = 1
const answer = (stream: number) => Buffer.concat([ok(stream), frame(0, END_STREAM, stream, 'all')])

/** Answers the first request on each connection, and has had too much of it then. */
const calming = () => {
  const served = new Set<TLSSocket>()
  const serve = (socket: TLSSocket, stream: number) => {
    socket.write(served.has(socket) ? reset(stream, CALM) : answer(stream))
    served.add(socket)
  }
  return { serve, served }
}

t.test('a connection that has been too much is asked no more', async (t) => {
  const { serve, served } = calming()
  const server = await frameServer(t, serve)
  const upstream = upstreamFor(t)
  for (let at = 0; at < 4; at++) {
    const { status, body } = await send(upstream, overHttp2(server))
    t.equal(status, 200, 'a request that does no harm is sent once more, on another one')
    t.equal(await textOf(body), 'all')
  }
  t.equal(served.size, 4)
  const write = overHttp2(server, { method: 'POST' })
  t.match(await faultOf(send(upstream, write)), { code: 'upstream_failed', sent: 'unknown' })
  t.equal((await send(upstream, write)).status, 200, 'the next goes elsewhere')
  t.equal(server.requests(), 9, 'and nothing was sent twice that could do harm')
})

t.test('those that are under way on it end well', async (t) => {
  let first = 0
  const server = await frameServer(t, (socket, stream, turn) => {
    if (turn === 1) first = stream
    if (turn === 2) socket.write(reset(stream, CALM))
    if (turn === 2) setTimeout(() => socket.write(answer(first)), 100)
    if (turn === 3) socket.write(answer(stream))
  })
  const upstream = upstreamFor(t)
  const [early, late] = await Promise.all([
    send(upstream, overHttp2(server, { method: 'POST' })),
    send(upstream, overHttp2(server)),
  ])
  t.equal(await textOf(early.body), 'all')
  t.equal(await textOf(late.body), 'all')
})

t.test('answers that are given up do not use an upstream up', async (t) => {
  const large = Buffer.alloc(1_000_000)
  const server = await http2Server(t, (stream) => {
    stream.respond({ ':status': 200 })
    stream.end(large)
  })
  const upstream = upstreamFor(t)
  for (let at = 0; at < 40; at++) {
    const { status, body } = await send(upstream, overHttp2(server))
    t.equal(status, 200)
    if (!Buffer.isBuffer(body)) body.destroy()
  }
})

t.test('no connection is used for ever', async (t) => {
  const connections = new Set<TLSSocket>()
  const server = await frameServer(t, (socket, stream) => {
    connections.add(socket)
    socket.write(answer(stream))
  })
  const upstream = upstreamFor(t)
  let left = 2_010
  const client = async () => {
    while (left-- > 0) await textOf((await send(upstream, overHttp2(server))).body)
  }
  await Promise.all(Array.from({ length: 10 }, client))
  t.equal(connections.size, 2)
  t.equal(server.requests(), 2_010)
})
