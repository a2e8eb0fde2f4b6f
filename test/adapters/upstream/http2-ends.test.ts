import type { TLSSocket } from 'node:tls'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { frame, frameServer, goaway, half, ok, reset } from './helpers/http2-frames.ts'
import { overHttp2 } from './helpers/over-http2.ts'
import { faultOf, send, textOf, upstreamFor } from './helpers/upstream.ts'

// An answer is whole where its stream says so (END_STREAM), and broken off in every other way of ending.

for (const [name, end] of Object.entries({
  'a reset with NO_ERROR': (socket, stream) => void socket.write(reset(stream, 0x0)),
  'a reset with CANCEL': (socket, stream) => void socket.write(reset(stream, 0x8)),
  'a reset with INTERNAL_ERROR': (socket, stream) => void socket.write(reset(stream, 0x2)),
  'a lost connection': (socket) => void socket.destroy(),
  'a connection that ends': (socket) => void socket.end(),
  'a connection that is given up': (socket, stream) => void socket.write(goaway(stream, 0x2)),
} satisfies Record<string, (socket: TLSSocket, stream: number) => void>)) {
  t.test(`${name} within an answer shows`, async (t) => {
    const server = await frameServer(t, (socket, stream) => {
      socket.write(Buffer.concat([ok(stream), half(stream)]))
      setTimeout(() => end(socket, stream), 50)
    })
    const answer = await send(upstreamFor(t), overHttp2(server))
    t.match(await faultOf(textOf(answer.body)), { code: 'upstream_failed', sent: 'unknown' })
  })

  t.test(`${name} before an answer shows`, async (t) => {
    const server = await frameServer(t, end)
    const fault = await faultOf(send(upstreamFor(t), overHttp2(server, { method: 'POST' })))
    t.match(fault, { code: 'upstream_failed', sent: 'unknown' })
    t.equal(server.requests(), 1, 'it is not sent again')
  })
}

const END_STREAM = 1
const NO_ERROR = 0x0
const data = (stream: number, bytes: string, flags = 0): Buffer => frame(0, flags, stream, bytes)
const trailers = (stream: number): Buffer => frame(1, 4 | END_STREAM, stream, '\x00\x01a\x01b')

/** The frames of one write, and what of them is an answer. */
const ENDS: Readonly<
  Record<string, readonly [frames: (stream: number) => Buffer[], text?: string]>
> = {
  'a reset with NO_ERROR behind the head': [(stream) => [ok(stream), reset(stream, NO_ERROR)]],
  'a reset with NO_ERROR behind data': [
    (stream) => [ok(stream), half(stream), reset(stream, NO_ERROR)],
  ],
  'its end': [(stream) => [ok(stream), data(stream, 'all', END_STREAM)], 'all'],
  'its end, and a reset with NO_ERROR': [
    (stream) => [ok(stream), data(stream, 'all', END_STREAM), reset(stream, NO_ERROR)],
    'all',
  ],
  'trailers, and a reset with NO_ERROR': [
    (stream) => [ok(stream), half(stream), trailers(stream), reset(stream, NO_ERROR)],
    'half',
  ],
}

for (const [name, [frames, text]] of Object.entries(ENDS))
  for (const method of ['GET', 'POST'])
    t.test(`${method}: ${name}, in one write`, async (t) => {
      const server = await frameServer(t, (socket, stream) => {
        socket.write(Buffer.concat(frames(stream)))
      })
      // One that has not come to its own end yet.
      const body = method === 'POST' ? new Readable({ read() {} }) : null
      body?.push('x')
      const answer = await send(upstreamFor(t), overHttp2(server, { method, body }))
      const read = textOf(answer.body)
      if (text === undefined)
        t.match(await faultOf(read), { code: 'upstream_failed', sent: 'unknown' })
      else t.equal(await read, text)
    })

t.test('a reader that is slow is told as well', async (t) => {
  const part = 'x'.repeat(16_000)
  const long = (stream: number, last: Buffer) =>
    Buffer.concat([ok(stream), ...Array.from({ length: 4 }, () => data(stream, part)), last])
  for (const isWhole of [true, false]) {
    const server = await frameServer(t, (socket, stream) => {
      socket.write(long(stream, isWhole ? data(stream, '', END_STREAM) : reset(stream, NO_ERROR)))
    })
    const answer = await send(upstreamFor(t), overHttp2(server))
    // Until everything is there, and the stream closed.
    await delay(100)
    if (isWhole) t.equal((await textOf(answer.body)).length, 64_000)
    else t.match(await faultOf(textOf(answer.body)), { code: 'upstream_failed', sent: 'unknown' })
  }
})
