import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { canonicalAuthority } from '../../catalog/index.ts'
import type { Origin } from '../../adapters/upstream/port.ts'
import type { KnockFault, Reply } from '../knock.ts'
import { proxyCredential } from './credentials.ts'
import { answerDetached, serveDetached } from './detached.ts'
import { NOWHERE } from './door.ts'
import type { Addressed, Admission, Doors } from './door.ts'
import { tokensOf } from './fields.ts'
import { announcesBody, headFault, headOf, malformed, versionOf } from './framing.ts'
import type { Intercept } from './intercept.ts'
import { readAhead } from './read-ahead.ts'
import { relay } from './relay.ts'
import { tooManyTunnels } from './tunnels.ts'

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'

/** A CONNECT, with the bytes that came behind its head: an eager client's first ones for the tunnel. */
export interface Connect {
  readonly req: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
}

/** What becomes of a CONNECT's socket. */
export interface ConnectEnds {
  readonly intercept: Intercept
  /** Lets the HTTP server read on from a socket whose CONNECT was refused. */
  readonly readOn: (socket: Socket) => void
}

/**
 * Serves a CONNECT. Only what must be said before the tunnel stands is said here: a malformed target (400), a
 * missing or bad credential (407), and all of a tunnel that is not intercepted. The rest is answered inside.
 */
export async function serveConnect(
  connect: Connect,
  ends: ConnectEnds,
  doors: Doors,
): Promise<void> {
  const { socket, head } = connect
  const ignore = () => {}
  socket.on('error', ignore)
  if (head.length > 0) socket.unshift(head)
  const asked = readConnect(connect.req, doors)
  if (asked.fault) return serveBlind(connect, asked, doors)
  const admission = await admit(connect, asked, doors)
  if (admission === undefined) return void socket.destroy()
  if (!admission.ok) {
    if (!(await refuse(connect, admission.reply, doors))) return
    // Git, Java and Chromium send their credentials only now, and on this very connection.
    socket.off('error', ignore)
    ends.readOn(socket)
    return void socket.resume()
  }
  if (!doors.tunnels.open(socket)) return void (await refuse(connect, tooManyTunnels(doors), doors))
  if (!admission.intercept) return serveBlind(connect, asked, doors)
  socket.write(ESTABLISHED)
  await ends.intercept(socket, { origin: asked.origin, credential: asked.credential })
}

/** Undefined where the client has gone in the meantime. */
async function admit(
  { socket }: Connect,
  { credential, origin }: Addressed,
  doors: Doors,
): Promise<Admission | undefined> {
  const connection = doors.connections.of(socket)
  const end = doors.connections.begin(connection)
  const ahead = readAhead(socket)
  try {
    const admission = await doors.admit(credential, origin, connection.peer)
    return ahead.ended || socket.destroyed ? undefined : admission
  } finally {
    ahead.stop()
    end()
  }
}

/** Answers a refusal; true where the connection goes on serving. */
async function refuse(connect: Connect, reply: Reply, doors: Doors): Promise<boolean> {
  const { req, socket } = connect
  const mustClose = reply.close === true || doors.connections.closing || !staysOpen(req)
  // No exchange runs here that could be told.
  const onCut = () => {}
  await answerDetached({ req, socket }, reply, { mustClose, onCut, limits: doors.limits })
  // Its end was told already, and would be waited for.
  if (socket.readableEnded) socket.destroy()
  return !mustClose && !socket.destroyed
}

function staysOpen(req: IncomingMessage): boolean {
  const wishes = ['connection', 'proxy-connection'].flatMap((name) =>
    tokensOf(req.rawHeaders, name),
  )
  return versionOf(req) === '1.1' && !wishes.includes('close')
}

/** A tunnel whose inside stays hidden: the exchange decides it as a whole and gives the upstream's connection. */
async function serveBlind(connect: Connect, addressed: Addressed, doors: Doors): Promise<void> {
  const { req, socket } = connect
  const visit = { req, socket, addressed, upgrade: false }
  await serveDetached(visit, doors, async (reply, onCut) => {
    if (!reply.socket)
      return answerDetached(visit, reply, { mustClose: true, onCut, limits: doors.limits })
    socket.write(ESTABLISHED)
    await relay(socket, reply.socket, doors.limits)
  })
}

function readConnect(req: IncomingMessage, doors: Doors): Addressed {
  const target = req.url ?? ''
  const credential = proxyCredential(req.rawHeaders)
  const base = { door: 'proxy', shape: 'tunnel-blind', path: '', credential } as const
  const authority = canonicalAuthority(target, undefined)
  if (!authority.ok) {
    const fault = malformed(`CONNECT \`${target}\`: ${authority.reason}`, 'send host:port')
    return { ...base, origin: NOWHERE, fault }
  }
  const { host, port } = authority
  // A guess, as good as the port: inside an intercepted tunnel the first byte tells.
  const origin: Origin = { scheme: port === 80 ? 'http' : 'https', host, port }
  const fault = connectFault(req, doors)
  return { ...base, origin, ...(fault ? { fault } : {}) }
}

/**
 * Host is not compared: RFC 9112, 3.2.3 has the target alone say where the tunnel goes, and Node's own client names
 * the proxy there.
 */
function connectFault(req: IncomingMessage, doors: Doors): KnockFault | undefined {
  const head = headOf(req)
  const fault = headFault(head, doors.limits)
  if (fault) return fault
  if (!announcesBody(head.headers)) return undefined
  return malformed('a CONNECT with a body', 'send CONNECT without a body')
}
