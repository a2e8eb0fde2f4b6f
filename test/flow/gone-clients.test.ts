import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import t from 'tap'
import { startChild } from '../helpers/child.ts'
import type { ChildGateway } from '../helpers/child.ts'
import { eventually } from '../helpers/gateway.ts'
import { assertAccounts, metricOf } from '../helpers/records.ts'
import { vanish } from '../helpers/vanish/client.ts'
import type { Step } from '../helpers/vanish/client.ts'
import { STEPS } from '../helpers/vanish/steps.ts'

// Clients go at every point in every shape. Afterwards the gateway has what it had before: no socket of theirs or of
// their calls, no file of a body that did not come to its end, and an end for each of their calls in the accounts.

const AT_ONCE = 6
/** Idle connections to upstreams are kept for 4 s. */
const SOON_MS = 12_000
const skip = process.env['CI'] === 'true' || existsSync('/proc/self/fd') ? false : 'no /proc here'

const serve = (req: IncomingMessage, res: ServerResponse): void => {
  req.on('error', () => {})
  const path = req.url ?? ''
  if (path.endsWith('/silent')) return
  if (path.endsWith('/begun')) return void res.write('begun')
  if (path.endsWith('/endless')) return pour(res)
  req.resume().once('end', () => res.end('ok'))
}

/** Writes as fast as it is taken, for as long as anybody takes it. */
function pour(res: ServerResponse): void {
  while (!res.destroyed && res.write(Buffer.alloc(20_000)));
  if (!res.destroyed) res.once('drain', () => pour(res))
}

const upgrade = (req: IncomingMessage, socket: Duplex): void => {
  socket.on('error', () => {}).on('end', () => socket.end())
  socket.resume()
  if (req.url?.endsWith('/silent') === true) return
  if (req.url?.endsWith('/begun') === true)
    return void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbegun')
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
}

/** Sockets, and files of bodies. */
function descriptorsOf({ process: child }: ChildGateway): number {
  const folder = `/proc/${child.pid}/fd`
  const names = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`)
    } catch {
      return 'closed since'
    }
  })
  return names.filter((name) => name.startsWith('socket:') || name.includes('/bodies/')).length
}

async function leaveAt(
  steps: readonly Step[],
  gateway: ChildGateway,
  token: string,
): Promise<void> {
  const { proxyPort, caPem } = gateway
  const shown = { port: proxyPort, caPem, token }
  // Each point in each manner is what test/gateway/doors/gone.test.ts has.
  const work = steps.map(({ name, reach, manners }, at) => {
    const manner = manners[at % manners.length] ?? 'closes'
    return { name, reach, manner }
  })
  const worker = async () => {
    for (let next = work.shift(); next !== undefined; next = work.shift()) {
      const { name, reach, manner } = next
      const socket = await reach(shown).catch((error: unknown) => {
        throw new Error(`${name}, ${manner}: ${String(error)}`)
      })
      vanish(socket, manner)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** With the tunnels read, and not. */
const SETUPS = [
  {
    name: 'every client',
    upstream: {},
    steps: STEPS.filter(({ name }) => !name.startsWith('blind.')),
  },
  {
    name: 'every client of a tunnel that is not read',
    upstream: { intercept: false },
    steps: STEPS.filter(({ name }) => name.startsWith('api.test:443')),
  },
]

for (const { name, upstream, steps } of SETUPS)
  t.test(name, { skip }, async (t) => {
    const gateway = await startChild(t, { upstream, serve, upgrade })
    const token = gateway.mint('tools = HTTP_*')
    const before = descriptorsOf(gateway)
    await leaveAt(steps, gateway, token)
    await eventually(() => descriptorsOf(gateway) <= before, SOON_MS)
    t.equal(descriptorsOf(gateway), before, 'nothing is left open')
    const tunnels = metricOf(await gateway.metrics(), 'narrowgate_tunnels_open')
    t.equal(tunnels, 0, 'no tunnel is counted')
    await assertAccounts(t, gateway.state, gateway.metrics)
  })
