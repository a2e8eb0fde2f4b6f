import { spawn } from 'node:child_process'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { faultOf, OK, rawServer, requestTo, send, textOf, upstreamFor } from './helpers/upstream.ts'

const LISTENER = `
  const [host, port] = process.argv.slice(1)
  require('node:net').createServer().listen({ host, port: Number(port), backlog: 1 }, () => process.send('up'))`

/**
 * Makes an address that takes no connection and refuses none, as behind a firewall that drops: its listener is
 * stopped and its queue is full, so that the kernel leaves each further SYN without an answer.
 */
async function silence(t: Test, host: string, port: number): Promise<void> {
  const child = spawn(process.execPath, ['-e', LISTENER, host, String(port)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child, 'message')
  child.kill('SIGSTOP')
  for (let at = 0; at < 8; at++) {
    const socket = connect({ host, port }).on('error', () => undefined)
    t.teardown(() => socket.destroy())
    const connected = once(socket, 'connect').then(() => true)
    if (!(await Promise.race([connected, delay(200, false)]))) return
  }
  throw new Error(`${host}:${port} still takes connections`)
}

const SILENT: readonly (readonly [name: string, address: LookupAddress])[] = [
  ['IPv4', { address: '127.0.0.3', family: 4 }],
  ['IPv6', { address: '::1', family: 6 }],
]
const LIVE: LookupAddress = { address: '127.0.0.1', family: 4 }

for (const [name, silent] of SILENT) {
  t.test(
    `an ${name} address that never answers is passed over for the next (RFC 8305)`,
    async (t) => {
      const server = await rawServer(t, (socket) => socket.end(OK))
      await silence(t, silent.address, server.port)
      const origin = { scheme: 'http', host: 'up.test', port: server.port } as const
      const upstream = upstreamFor(t, { lookup: async () => [silent, LIVE] })
      const answer = await send(upstream, requestTo(0, { origin }))
      t.equal(answer.address, `127.0.0.1:${server.port}`)
      t.equal(await textOf(answer.body), 'ok')
    },
  )
}

t.test('where no address answers, the call ends with the connect timeout', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  for (const [, { address }] of SILENT) await silence(t, address, server.port)
  const origin = { scheme: 'http', host: 'up.test', port: server.port } as const
  const upstream = upstreamFor(t, { lookup: async () => SILENT.map(([, address]) => address) })
  const fault = await faultOf(
    send(upstream, requestTo(0, { origin, timeouts: { connect: 700, head: 5_000, idle: 5_000 } })),
  )
  t.equal(fault['code'], 'upstream_timeout')
  t.equal(fault['sent'], 'no')
  t.equal(server.received.length, 0)
})
