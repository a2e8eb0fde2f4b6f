import { spawn } from 'node:child_process'
import { accessSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { Test } from 'tap'
import { flow } from '../helpers/gateway.ts'
import { HOST, openTunnel } from '../helpers/shapes.ts'
import type { Reach } from '../helpers/shapes.ts'

const H2LOAD = '/usr/bin/h2load'
const REQUESTS = 500

function isMissing(): boolean {
  try {
    accessSync(H2LOAD)
    return false
  } catch {
    return true
  }
}

/** A port that leads into tunnels to the upstream: h2load knows no proxy. */
async function openRelay(t: Test, reach: Reach, token: string): Promise<number> {
  const sockets = new Set<Socket>()
  const relay = async (client: Socket) => {
    sockets.add(client)
    const tunnel = await openTunnel(reach, token, `${HOST}:443`)
    sockets.add(tunnel)
    for (const socket of [client, tunnel]) socket.on('error', () => {})
    client.pipe(tunnel).pipe(client)
  }
  const server = createServer((client) => void relay(client))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function h2load(port: number, ...options: readonly string[]): Promise<string> {
  const connectTo = `--connect-to=127.0.0.1:${port}`
  const args = [`-n${REQUESTS}`, '-c4', connectTo, ...options, `https://${HOST}/rows`]
  const child = spawn(H2LOAD, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return text(child.stdout)
}

const SERVED = new RegExp(
  `requests: ${REQUESTS} total, ${REQUESTS} started, ${REQUESTS} done, ${REQUESTS} succeeded, 0 failed, 0 errored`,
)

if (isMissing()) {
  const why = 'h2load is not installed: run scripts/setup-tests.sh'
  if (process.env['CI'] === 'true') t.fail(why)
  else t.plan(0, why)
} else {
  await flow('h2load, many streams on each connection', {}, async (t, gateway) => {
    const port = await openRelay(t, gateway, gateway.mint('tools = HTTP_*'))
    t.match(await h2load(port, '-m32'), SERVED)
    t.equal(gateway.upstreams.arrived.length, REQUESTS)
  })

  await flow('h2load is refused on every stream', {}, async (t, gateway) => {
    const port = await openRelay(t, gateway, gateway.mint('tools = SOMETHING_ELSE'))
    t.match(await h2load(port, '-m32'), /status codes: 0 2xx, 0 3xx, 500 4xx, 0 5xx/)
    t.same(gateway.upstreams.arrived, [])
  })
}
