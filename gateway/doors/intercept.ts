import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Origin } from '../../adapters/upstream/port.ts'
import { answerDetached, serveDetached } from './detached.ts'
import type { Doors } from './door.ts'
import { createFastDoor } from './fast/door.ts'
import { headOf, malformed } from './framing.ts'
import type { Head } from './framing.ts'
import { createHttp1Server } from './http1-server.ts'
import { serveHttp2 } from './http2.ts'
import { watchForLoss } from './loss.ts'
import { addressInner } from './tunnel.ts'
import type { Tunnel } from './tunnel.ts'
import { serveUpgrade } from './upgrade.ts'
import { serveVisit } from './visit.ts'

const TLS_HANDSHAKE = 0x16

/** What a CONNECT said: where the tunnel goes, and with which credential. */
export type Claim = Pick<Tunnel, 'origin' | 'credential'>

/** Ends a tunnel in the gateway: each request in it becomes a Knock of its own. */
export type Intercept = (socket: Socket, claim: Claim) => Promise<void>

/** The insides of all intercepted tunnels of one listener. */
export function createIntercept(doors: Doors): { intercept: Intercept; close: () => void } {
  const tunnels = new WeakMap<Socket, Tunnel>()
  const server = createInnerServer(doors, tunnels)
  const fast = createFastDoor({
    doors,
    address: (head, socket) => addressIn(tunnels, head, socket, doors),
    general: (socket) => void server.emit('connection', socket),
  })
  const serveHttp1 = (socket: Socket, tunnel: Tunnel) => {
    tunnels.set(socket, tunnel)
    if (doors.engine === 'general') server.emit('connection', socket)
    else fast.accept(socket)
  }
  return {
    async intercept(socket, claim) {
      const first = await firstByte(socket, doors.limits.headMs)
      if (first === undefined) return void socket.destroy()
      if (first !== TLS_HANDSHAKE) {
        const origin: Origin = { ...claim.origin, scheme: 'http' }
        serveHttp1(socket, { ...claim, origin, shape: 'tunnel-clear', serverName: undefined })
        // It was paused for the look at its first byte, which nobody but us knows.
        return void socket.resume()
      }
      const tls = await openTls(socket, claim.origin.host, doors)
      if (!tls) return
      const origin: Origin = { ...claim.origin, scheme: 'https' }
      const tunnel: Tunnel = {
        ...claim,
        origin,
        shape: 'tunnel-tls',
        serverName: serverNameOf(tls),
      }
      doors.connections.adopt(tls, doors.connections.of(socket))
      if (tls.alpnProtocol !== 'h2') return serveHttp1(tls, tunnel)
      watchForLoss(tls, socket)
      serveHttp2(tls, tunnel, doors)
    },
    close() {
      fast.close()
      server.close()
    },
  }
}

/** One server for all tunnels; it never listens, its connections are given to it. */
function createInnerServer(doors: Doors, tunnels: WeakMap<Socket, Tunnel>) {
  const address = (req: IncomingMessage) => addressIn(tunnels, headOf(req), req.socket, doors)
  const server = createHttp1Server(
    {
      request: (req, res, expectsContinue) =>
        serveVisit({ req, res, addressed: address(req), expectsContinue }, doors),
      upgrade: (req, socket, head) =>
        serveUpgrade({ req, socket, head, addressed: address(req) }, doors),
      async connect(req, socket) {
        socket.on('error', () => {})
        const fault = malformed(
          'CONNECT inside a tunnel',
          'send CONNECT on a connection of its own',
        )
        const visit = { req, socket, addressed: { ...address(req), fault }, upgrade: false }
        await serveDetached(visit, doors, (reply, onCut) =>
          answerDetached(visit, reply, { mustClose: true, onCut, limits: doors.limits }),
        )
      },
    },
    doors,
  )
  // Node starts to watch the time that heads take when a server listens, which this one never does.
  server.emit('listening')
  return server
}

function addressIn(
  tunnels: WeakMap<Socket, Tunnel>,
  head: Head,
  socket: Socket,
  { limits }: Doors,
) {
  const tunnel = tunnels.get(socket)
  if (!tunnel) throw new TypeError('a request came from no tunnel')
  return addressInner(head, tunnel, limits)
}

/** The first byte that the client sends into its tunnel, left unread; undefined where none comes in time. */
async function firstByte(socket: Socket, timeoutMs: number): Promise<number | undefined> {
  if (socket.readableEnded) return undefined
  return new Promise((resolve) => {
    const finish = (byte: number | undefined) => {
      clearTimeout(timer)
      socket.off('data', onData).off('end', onEnd).off('close', onEnd)
      resolve(byte)
    }
    const onData = (chunk: Buffer) => {
      socket.pause()
      socket.unshift(chunk)
      finish(chunk[0])
    }
    const onEnd = () => finish(undefined)
    const timer = setTimeout(onEnd, timeoutMs)
    socket.on('data', onData).once('end', onEnd).once('close', onEnd).resume()
  })
}

/** Serves TLS for the tunnel's host; undefined where the handshake fails, after which the connection is gone. */
async function openTls(socket: Socket, host: string, doors: Doors): Promise<TLSSocket | undefined> {
  const secureContext = await doors.leaves.context(host)
  if (socket.destroyed) return undefined
  const tls = new TLSSocket(socket, {
    isServer: true,
    secureContext,
    ALPNProtocols: ['h2', 'http/1.1'],
  })
  return new Promise((resolve) => {
    // Node's own handshake timeout begins anew with every byte that trickles in.
    const timer = setTimeout(() => tls.destroy(), doors.limits.handshakeMs)
    let why = 'the connection ended'
    let secured = false
    tls.on('error', (error) => {
      why = error.message
    })
    // Nothing more will come that could end the handshake. What the socket has read before TLS did ends there.
    const onEnd = () => tls.destroy()
    const readers = [tls, socket]
    for (const reader of readers) reader.once('end', onEnd)
    tls.once('secure', () => {
      clearTimeout(timer)
      for (const reader of readers) reader.off('end', onEnd)
      secured = true
      // Node says so only of its own TLS server's sockets, and an HTTP/2 session waits until it is said.
      Object.assign(tls, { secureConnecting: false })
      resolve(tls)
    })
    tls.once('close', () => {
      clearTimeout(timer)
      if (secured) return
      doors.metrics?.handshakeFailed()
      doors.log.info(
        { host, why },
        'a TLS handshake in a tunnel failed; does the client trust the CA?',
      )
      resolve(undefined)
    })
  })
}

function serverNameOf(tls: TLSSocket): string | undefined {
  return 'servername' in tls && typeof tls.servername === 'string' && tls.servername !== ''
    ? tls.servername
    : undefined
}
