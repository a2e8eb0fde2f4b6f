import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import type { ListenAddress } from '../config/types.ts'
import type { Authority } from '../tls/authority.ts'
import { createLeafCache } from '../tls/leaf-cache.ts'
import { bind } from './bind.ts'
import { serveConnect } from './connect.ts'
import { createConnections } from './connections.ts'
import type { DoorPorts, Doors } from './door.ts'
import { addressForward, addressForwardUpgrade } from './forward.ts'
import { createFastDoor } from './fast/door.ts'
import { headOf } from './framing.ts'
import { createHttp1Server } from './http1-server.ts'
import { createIntercept } from './intercept.ts'
import { createTunnels } from './tunnels.ts'
import { serveUpgrade } from './upgrade.ts'
import { serveVisit } from './visit.ts'

export interface ListenerOptions extends DoorPorts {
  readonly listen: ListenAddress
  /** Signs the certificates of intercepted tunnels. */
  readonly authority: Authority
}

/** The port that clients use: proxy, mounts and holder doors in one. */
export interface Listener {
  /** Starts to accept; the address is `host:port`, or the path of a unix socket. Rejects where it is taken. */
  listen(): Promise<{ readonly address: string }>
  /** Accepts no more, lets running exchanges finish within `graceMs`, and cuts what is left. */
  close(options: { readonly graceMs: number }): Promise<void>
  /** Client connections that are open. */
  connections(): number
}

/** Makes the listener; nothing is bound before `listen`. */
export function createListener(options: ListenerOptions): Listener {
  const { limits, authority } = options
  const connections = createConnections()
  const leaves = createLeafCache({ authority, size: limits.contexts })
  const tunnels = createTunnels(options)
  const doors: Doors = { ...options, connections, leaves, tunnels }
  const inside = createIntercept(doors)
  const readOn = (socket: Socket) => void general.emit('connection', socket)
  const general = createHttp1Server(
    {
      request: (req, res, expectsContinue) => serveRequest({ req, res, expectsContinue }, doors),
      connect: (req, socket, head) =>
        serveConnect({ req, socket, head }, { intercept: inside.intercept, readOn }, doors),
      async upgrade(req, socket, head) {
        const addressed = addressForwardUpgrade(headOf(req), doors)
        await serveUpgrade({ req, socket, head, addressed }, doors)
      },
    },
    doors,
  )
  // It never listens, its connections are given to it; Node starts to watch the time that heads take with this.
  general.emit('listening')
  const fast = createFastDoor({
    doors,
    address(head) {
      const addressed = addressForward(head, doors)
      return addressed === 'holder' ? 'general' : addressed
    },
    general: readOn,
  })
  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true })
  server.maxConnections = limits.maxConnections
  server.on('drop', () => options.metrics?.shed('connection'))
  server.on('connection', (socket) => {
    connections.open(socket)
    if (options.engine === 'general') readOn(socket)
    else fast.accept(socket)
  })

  return {
    async listen() {
      const address = await bind(server, options.listen)
      server.on('error', (error) => options.log.warn({ error }, 'the listener failed to accept'))
      return { address }
    },
    async close({ graceMs }) {
      const unbound = new Promise<void>((resolve) => server.close(() => resolve()))
      await connections.close(graceMs)
      inside.close()
      fast.close()
      general.close()
      await unbound
    },
    connections: () => connections.count(),
  }
}

interface Request {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly expectsContinue: boolean
}

async function serveRequest(request: Request, doors: Doors): Promise<void> {
  const addressed = addressForward(headOf(request.req), doors)
  if (addressed !== 'holder') return serveVisit({ ...request, addressed }, doors)
  const { req, res, expectsContinue } = request
  res.once('close', doors.connections.begin(doors.connections.of(req.socket)))
  if (doors.connections.closing) res.setHeader('Connection', 'close')
  if (expectsContinue) res.writeContinue()
  doors.holder(req, res)
}
