import { Readable } from 'node:stream'
import t from 'tap'
import type { UpstreamRequest } from '../../../adapters/upstream/port.ts'
import {
  faultOf,
  heads,
  OK,
  rawServer,
  requestTo,
  send,
  textOf,
  upstreamFor,
} from './helpers/upstream.ts'

/** Serves one request, then resets the connection as the second one arrives on it: a stale idle connection. */
async function staleServer(t: Test) {
  return rawServer(t, (socket, text, connection) => {
    if (connection === 0 && heads(text) > 1) socket.resetAndDestroy()
    else socket.write(OK)
  })
}
type Test = Parameters<typeof rawServer>[0]

async function secondCall(t: Test, changes: Partial<UpstreamRequest>) {
  const server = await staleServer(t)
  const counted: string[] = []
  const upstream = upstreamFor(t, { metrics: { count: (event) => void counted.push(event) } })
  await textOf((await send(upstream, requestTo(server.port))).body)
  const second = send(upstream, requestTo(server.port, { path: '/second', ...changes }))
  return { second, server, counted }
}

for (const method of ['GET', 'HEAD', 'OPTIONS']) {
  t.test(`${method} on a stale connection is sent once more on a new one`, async (t) => {
    const { second, counted } = await secondCall(t, { method })
    t.equal((await second).status, 200)
    t.same(counted, ['opened', 'reused', 'retried', 'opened'])
  })
}

for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
  t.test(`${method} on a stale connection is never written twice`, async (t) => {
    const { second, server } = await secondCall(t, { method })
    const fault = await faultOf(second)
    t.equal(fault['code'], 'upstream_failed')
    t.equal(fault['sent'], 'unknown')
    await new Promise((resolve) => setTimeout(resolve, 50))
    t.equal(server.received.join('').split('/second').length - 1, 1)
  })
}

t.test('a GET whose body began is never written twice', async (t) => {
  const body = Readable.from([Buffer.from('query')])
  const headers = ['Host', 'up.test', 'Content-Length', '5']
  const { second, server } = await secondCall(t, { body, headers })
  t.equal((await faultOf(second))['sent'], 'unknown')
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal(server.received.length, 1)
})

t.test('a GET that fails on a new connection is not sent again', async (t) => {
  const server = await rawServer(t, (socket) => socket.resetAndDestroy())
  const fault = await faultOf(send(upstreamFor(t), requestTo(server.port)))
  t.equal(fault['code'], 'upstream_failed')
  t.equal(server.received.length, 1)
})

t.test('a GET is not sent again once an answer began', async (t) => {
  const server = await rawServer(t, (socket, text) => {
    if (heads(text) === 1) return socket.write(OK)
    socket.write('HTTP/1.1 200')
    setTimeout(() => socket.destroy(), 20)
  })
  const upstream = upstreamFor(t)
  await textOf((await send(upstream, requestTo(server.port))).body)
  t.equal((await faultOf(send(upstream, requestTo(server.port))))['code'], 'upstream_failed')
  t.equal(server.received.length, 1)
})

t.test('where nothing listens nothing was sent, and it is tried twice', async (t) => {
  const server = await rawServer(t, () => {})
  let looked = 0
  const lookup = async () => {
    looked += 1
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const origin = { scheme: 'http', host: 'up.test', port: 1 } as const
  const fault = await faultOf(
    send(upstreamFor(t, { lookup }), requestTo(server.port, { origin, method: 'POST' })),
  )
  t.equal(fault['code'], 'upstream_failed')
  t.equal(fault['sent'], 'no')
  t.equal(looked, 2)
})
