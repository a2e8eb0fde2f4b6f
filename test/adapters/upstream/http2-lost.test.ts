import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createSecureContext, TLSSocket } from 'node:tls'
import t from 'tap'
import type { Test } from 'tap'
import { heldOn } from '../../helpers/held.ts'
import { selfSigned } from './helpers/certificate.ts'
import { frame, half, ok, onHeads } from './helpers/http2-frames.ts'
import { overHttp2 } from './helpers/over-http2.ts'
import { faultOf, send, textOf, upstreamFor } from './helpers/upstream.ts'

// Node 20 loses the failure of what it writes while TLS reads. Each record here is answered as it is read, and the
// connection was reset before the first one was.
const PINGS = 8
const PING = 6
const END_STREAM = 1

/** Answers by halves and resets its first connection; on later ones it answers. */
async function resettingServer(t: Test): Promise<{ port: number; ca: string; open: () => number }> {
  const identity = await selfSigned('127.0.0.1')
  const secureContext = createSecureContext(identity)
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer((raw) => {
    sockets.add(raw)
    raw.once('close', () => sockets.delete(raw))
    const { wire, hold, sendAndReset } = heldOn(raw)
    const tls = new TLSSocket(wire, { isServer: true, secureContext, ALPNProtocols: ['h2'] })
    const first = ++turn === 1
    const answer = async (stream: number): Promise<void> => {
      tls.write(Buffer.concat([ok(stream), first ? half(stream) : frame(0, END_STREAM, stream)]))
      if (!first) return
      await delay(100)
      hold()
      for (let at = 0; at < PINGS; at++) tls.write(frame(PING, 0, 0, '12345678'))
      await delay(100)
      sendAndReset()
    }
    onHeads(tls, (stream) => void answer(stream))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, ca: identity.cert, open: () => sockets.size }
}

t.test('a connection that is lost under what TLS reads is seen to be', async (t) => {
  const server = await resettingServer(t)
  const upstream = upstreamFor(t)
  const answer = await send(upstream, overHttp2(server))
  const began = Date.now()
  t.match(await faultOf(textOf(answer.body)), { code: 'upstream_failed', sent: 'unknown' })
  t.ok(Date.now() - began < 3_000, 'soon')
  const signal = AbortSignal.timeout(5_000)
  const next = await send(upstream, overHttp2(server, { signal }))
  t.equal(next.status, 200, 'and nobody else is put on it')
})
