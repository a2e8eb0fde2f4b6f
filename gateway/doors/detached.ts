import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Reply } from '../knock.ts'
import type { Addressed, Doors } from './door.ts'
import { versionOf } from './framing.ts'
import { watchIdle } from './idle.ts'
import { createPresence } from './presence.ts'
import type { Presence } from './presence.ts'
import { readAhead } from './read-ahead.ts'
import { discard, writeReply } from './reply.ts'

/** A request after which its socket is no longer HTTP's: CONNECT, or an upgrade. Node has let go of the socket. */
export interface DetachedVisit {
  readonly req: IncomingMessage
  readonly socket: Socket
  readonly addressed: Addressed
  readonly upgrade: boolean
}

/** Runs the exchange of a detached request and hands on its reply; the connection counts as busy until `then` is done. */
export async function serveDetached(
  { req, socket, addressed, upgrade }: DetachedVisit,
  doors: Doors,
  then: (reply: Reply, onCut: Presence['cut']) => Promise<void>,
): Promise<void> {
  const connection = doors.connections.of(socket)
  const client = createPresence()
  const ahead = readAhead(socket, () => client.left())
  let joined = false
  const end = doors.connections.begin(connection, () => {
    if (!joined) client.left()
  })
  try {
    const reply = await doors.exchange({
      ...addressed,
      peer: connection.peer,
      httpVersion: versionOf(req),
      method: req.method ?? '',
      headers: req.rawHeaders,
      body: null,
      trailers: () => [],
      upgrade,
      signal: client.signal,
      cancel: () => client.cancel(),
      proceed() {},
      inform() {},
    })
    ahead.stop()
    if (ahead.ended || socket.destroyed) return leave(socket, reply)
    // Once the two connections are joined, the end of the one is what the other sees: no signal is needed.
    joined = reply.socket !== undefined
    await then(reply, () => client.cut())
  } finally {
    end()
  }
}

/** Nobody is there any more to be answered. */
function leave(socket: Socket, reply: Reply): void {
  discard(reply)
  socket.destroy()
}

/** Answers a detached request as HTTP. The socket is then free of all listeners that were put on it for that. */
export async function answerDetached(
  { req, socket }: Pick<DetachedVisit, 'req' | 'socket'>,
  reply: Reply,
  options: {
    readonly mustClose: boolean
    readonly onCut: Presence['cut']
    readonly limits: Doors['limits']
  },
): Promise<void> {
  const res = new ServerResponse(req)
  res.shouldKeepAlive = !options.mustClose
  res.assignSocket(socket)
  watchIdle(req, res, options.limits.idleMs)
  const letGo = tellResponse(socket, res, options.limits.idleMs)
  const written = new Promise<void>((resolve) => {
    res.once('finish', resolve)
    res.once('close', resolve)
  })
  const { mustClose, onCut, limits } = options
  // As within any request, a client that ends its side is taken to have gone: an answer may have no next byte to show it.
  const onEnd = () => socket.destroy()
  // What else comes is not wanted, and left unread it would turn the end into a reset.
  if (mustClose) socket.once('end', onEnd).resume()
  await writeReply({ req, res, mustClose: () => mustClose, onCut, limits }, reply)
  await written
  socket.off('end', onEnd)
  letGo()
  res.detachSocket(socket)
  if (mustClose) socket.destroySoon()
}

/** Tells the response what Node's server does not tell it of a detached socket; gives a function that stops it. */
function tellResponse(socket: Socket, res: ServerResponse, idleMs: number): () => void {
  const onDrain = () => res.emit('drain')
  const onTimeout = () => res.emit('timeout', socket)
  socket.setTimeout(idleMs).on('drain', onDrain).on('timeout', onTimeout)
  return () => socket.setTimeout(0).off('drain', onDrain).off('timeout', onTimeout)
}
