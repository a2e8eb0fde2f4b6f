import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Reply } from '../knock.ts'
import type { Addressed, Doors } from './door.ts'
import { versionOf } from './framing.ts'
import { writeReply } from './reply.ts'

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
  then: (reply: Reply) => Promise<void>,
): Promise<void> {
  const connection = doors.connections.of(socket)
  const gone = new AbortController()
  let joined = false
  const end = doors.connections.begin(connection, () => {
    if (!joined) gone.abort()
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
      signal: gone.signal,
      cancel: () => gone.abort(),
      proceed() {},
      inform() {},
    })
    // Once the two connections are joined, the end of the one is what the other sees: no signal is needed.
    joined = reply.socket !== undefined
    await then(reply)
  } finally {
    end()
  }
}

/** Answers a detached request as HTTP. The socket is then free of all listeners that were put on it for that. */
export async function answerDetached(
  { req, socket }: Pick<DetachedVisit, 'req' | 'socket'>,
  reply: Reply,
  options: { readonly mustClose: boolean; readonly limits: Doors['limits'] },
): Promise<void> {
  const res = new ServerResponse(req)
  res.shouldKeepAlive = !options.mustClose
  res.assignSocket(socket)
  const written = new Promise<void>((resolve) => {
    res.once('finish', resolve)
    res.once('close', resolve)
  })
  await writeReply({ req, res, mustClose: () => options.mustClose, limits: options.limits }, reply)
  await written
  res.detachSocket(socket)
  if (options.mustClose) socket.destroySoon()
}
