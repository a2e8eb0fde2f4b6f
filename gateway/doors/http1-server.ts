import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Doors } from './door.ts'
import { createUnreadableDoor } from './unreadable.ts'

/** What is done with what an HTTP/1 server reads. */
export interface Http1Handlers {
  request(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): Promise<void>
  connect(req: IncomingMessage, socket: Socket, head: Buffer): Promise<void>
  upgrade(req: IncomingMessage, socket: Socket, head: Buffer): Promise<void>
}

const MAX_SWEEP_MS = 1_000

/** A strict HTTP/1 server, for a listener or, fed by `emit('connection')`, for the insides of tunnels. */
export function createHttp1Server(
  handlers: Http1Handlers,
  doors: Pick<Doors, 'limits' | 'connections' | 'log' | 'metrics' | 'refusedHeader'>,
): Server {
  const { limits } = doors
  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    insecureHTTPParser: false,
    // Refused by the exchange instead, with a receipt.
    requireHostHeader: false,
    headersTimeout: limits.headMs,
    // Uploads take as long as they take.
    requestTimeout: 0,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(MAX_SWEEP_MS, limits.headMs / 2),
    noDelay: true,
    keepAlive: true,
  })
  // For connections that stand still; exchanges that run judge by themselves whose turn it is.
  server.timeout = limits.idleMs
  // Node would silently drop the fields behind the 2,000th; their size is bounded already.
  server.maxHeadersCount = 0
  const attempt = (work: Promise<void>, socket: Duplex) => {
    work.catch((error: unknown) => {
      doors.log.warn({ error }, 'a door failed')
      socket.destroy()
    })
  }
  const latest = new WeakMap<Duplex, IncomingMessage>()
  const request = (req: IncomingMessage, res: ServerResponse, expectsContinue: boolean) => {
    // Node reads what came in one piece in one go, also past a request that ends the connection.
    if (doors.connections.of(req.socket).retired) return
    latest.set(req.socket, req)
    attempt(handlers.request(req, res, expectsContinue), req.socket)
  }
  server.on('request', (req, res) => request(req, res, false))
  server.on('checkContinue', (req, res) => request(req, res, true))
  // An expectation that nobody knows: RFC 9110, 10.1.1 lets it be ignored.
  server.on('checkExpectation', (req, res) => request(req, res, false))
  const detached = (handle: Http1Handlers['connect']) => {
    return (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
      if (!(socket instanceof Socket)) return void socket.destroy()
      const { retired, running } = doors.connections.of(socket)
      // What lies behind the last request is not read. Node has let go of the socket, on which its answer is owed.
      if (retired) return void socket.on('error', () => {}).resume()
      // Answers to earlier, pipelined requests are still owed: they and the tunnel's bytes would mix.
      if (running > 0) return void socket.destroy()
      attempt(handle(req, socket, head), socket)
    }
  }
  server.on('connect', detached(handlers.connect))
  server.on('upgrade', detached(handlers.upgrade))
  server.on(
    'clientError',
    createUnreadableDoor(doors, (socket) => latest.get(socket)),
  )
  return server
}
