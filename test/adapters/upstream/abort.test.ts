import { getEventListeners, once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import { faultOf, OK, rawServer, requestTo, send, upstreamFor } from './helpers/upstream.ts'

/** A server that says `text` to the first bytes, and a promise of the close of its connection. */
async function watched(t: Parameters<typeof rawServer>[0], text: string) {
  let closed: () => void = () => {}
  const gone = new Promise<void>((resolve) => (closed = resolve))
  const server = await rawServer(t, (socket: Socket, soFar) => {
    socket.once('close', closed)
    if (text !== '' && soFar !== '') socket.write(text)
  })
  return { server, gone }
}

/** Long before any timeout would have done it. */
async function atOnce(work: Promise<unknown>): Promise<void> {
  const start = Date.now()
  await work
  if (Date.now() - start > 2_000) throw new Error('it took a timeout to close it')
}

t.test('before the head', async (t) => {
  const { server, gone } = await watched(t, '')
  const stop = new AbortController()
  const call = faultOf(send(upstreamFor(t), requestTo(server.port, { signal: stop.signal })))
  setTimeout(() => stop.abort(), 50)
  await atOnce(gone)
  t.equal((await call)['sent'], 'unknown')
})

t.test('before the call', async (t) => {
  const { server } = await watched(t, OK)
  const call = send(upstreamFor(t), requestTo(server.port, { signal: AbortSignal.abort() }))
  t.equal((await faultOf(call))['sent'], 'no')
  t.same(server.received, [])
})

t.test('within the body', async (t) => {
  const { server, gone } = await watched(t, 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok')
  const stop = new AbortController()
  const answer = await send(upstreamFor(t), requestTo(server.port, { signal: stop.signal }))
  const failed = once(answer.body, 'error')
  stop.abort()
  await t.resolves(atOnce(Promise.all([gone, failed])))
})

t.test('a reader that leaves the body closes the connection', async (t) => {
  const { server, gone } = await watched(t, 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok')
  const answer = await send(upstreamFor(t), requestTo(server.port))
  answer.body.destroy()
  await t.resolves(atOnce(gone))
})

t.test("the client's body is left whole when the call fails", async (t) => {
  const server = await rawServer(t, (socket) => socket.destroy())
  const body = new Readable({ read() {} })
  body.push('abc')
  await faultOf(send(upstreamFor(t), requestTo(server.port, { method: 'POST', body })))
  t.notOk(body.destroyed)
})

t.test('no listener stays on the signal', async (t) => {
  const { server } = await watched(t, OK)
  const upstream = upstreamFor(t)
  const { signal } = new AbortController()
  const answer = await send(upstream, requestTo(server.port, { signal }))
  answer.body.resume()
  await once(answer.body, 'close')
  t.equal(getEventListeners(signal, 'abort').length, 0)
})
