import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import { rawServer, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

const SIZE = 256 * 2 ** 20
const piece = Buffer.alloc(65_536, 'x')

function source(): Readable {
  let left = SIZE
  return new Readable({
    read() {
      left -= piece.length
      this.push(left < 0 ? null : piece)
    },
  })
}

t.test('large bodies pass in constant memory, both ways', async (t) => {
  const server = createServer((request, response) => void request.pipe(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const answer = await send(upstreamFor(t), requestTo(port, { method: 'POST', body: source() }))
  const before = process.memoryUsage().rss
  let bytes = 0
  for await (const chunk of answer.body) bytes += (chunk as Buffer).length
  t.equal(bytes, SIZE)
  // Upstream and client live in this process too, and garbage is collected when the runtime likes: what shows is
  // whether the body was held.
  const grown = process.memoryUsage().rss - before
  t.ok(grown < SIZE / 2, `memory grew by ${Math.round(grown / 2 ** 20)} MiB`)
})

t.test('a body is read no faster than the upstream takes it', async (t) => {
  const server = await rawServer(t, (socket) => socket.pause())
  let read = 0
  const body = source().on('data', (chunk: Buffer) => (read += chunk.length))
  body.pause()
  const stop = new AbortController()
  const call = send(
    upstreamFor(t),
    requestTo(server.port, { method: 'POST', body, signal: stop.signal }),
  )
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.ok(read < 16 * 2 ** 20, `${read} bytes were read`)
  stop.abort()
  await t.rejects(call)
})

t.test('an event arrives before the next one is sent', async (t) => {
  let finish = () => {}
  const server = await rawServer(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n')
    finish = () => socket.end('0\r\n\r\n')
  })
  const answer = await send(upstreamFor(t), requestTo(server.port))
  const [first] = (await once(answer.body, 'data')) as [Buffer]
  t.equal(first.toString(), 'data: 1\n\n')
  finish()
  t.equal(await textOf(answer.body), '')
})
