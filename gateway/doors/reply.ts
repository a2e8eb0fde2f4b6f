import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { Reply } from '../knock.ts'
import type { Limits } from '../limits.ts'
import { drainBody } from './body.ts'
import { pairsOf } from './fields.ts'
import { frame, phraseOf } from './reply-framing.ts'
import type { Framing } from './reply-framing.ts'

/** Where an answer goes on an HTTP/1 connection. */
export interface Http1Target {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Asked as the head is written: whether the connection ends with this answer. */
  readonly mustClose: () => boolean
  /** Called before the door itself cuts the connection of a client that is still there. */
  readonly onCut: () => void
  readonly limits: Limits
}

/**
 * Writes a Reply on HTTP/1: fields in their order and case, the body as it comes, trailers behind it. Where the
 * body breaks off, or is not as long as its Content-Length, the connection is cut: half an answer never looks whole.
 */
export async function writeReply(target: Http1Target, reply: Reply): Promise<void> {
  const { req, res } = target
  if (res.destroyed || req.socket.destroyed) return discard(reply)
  const framing = frame(reply, req.method)
  try {
    const closing = reply.close || target.mustClose() ? ['Connection', 'close'] : []
    res.writeHead(reply.status, phraseOf(reply), [...framing.fields, ...closing])
    // One write for all of it, which is what most answers come to.
    if (isAtHand(reply, framing) && req.complete) return void res.end(reply.body)
    await sendBody(res, reply, framing)
    res.addTrailers(pairsOf(reply.trailers?.() ?? []))
    await endAnswer(target)
  } catch (error) {
    // Why is the exchange's to record: it sees its own stream fail, or the client's signal.
    const there = !res.destroyed && !req.socket.destroyed
    if (there) target.onCut()
    discard(reply, there ? error : undefined)
    cut(res, framing)
  }
}

/** Whether the whole answer is there, and is a body with a length and nothing behind it. */
function isAtHand({ body }: Reply, { bodied, length }: Framing): boolean {
  return bodied && length !== undefined && Buffer.isBuffer(body)
}

/** Lets go of an answer that nobody can be given any more; `why` where that is the door's own fault. */
export function discard({ body, socket }: Reply, why?: unknown): void {
  if (body instanceof Readable) {
    body.on('error', () => {}).destroy(why instanceof Error ? why : undefined)
  }
  socket?.on('error', () => {}).destroy()
}

/** Copies a body without ending `to`; rejects where it breaks off, or is not as long as was promised. */
export async function copyBody(body: Reply['body'], to: Writable, framing: Framing): Promise<void> {
  if (body === null) return
  if (Buffer.isBuffer(body)) return void to.write(body)
  let sent = 0
  body.on('data', (chunk: Buffer) => {
    sent += chunk.length
  })
  await pipeline(body, to, { end: false })
  if (framing.length !== undefined && sent !== framing.length) {
    throw new Error(`the body has ${sent} bytes where its head says ${framing.length}`)
  }
}

/** Waits for a body whose bytes are not sent: the exchange may have to end before its answer does. */
export async function runOut(body: Reply['body']): Promise<void> {
  if (body instanceof Readable) await finished(body.resume(), { writable: false })
}

async function sendBody(res: ServerResponse, { body }: Reply, framing: Framing): Promise<void> {
  if (!framing.bodied) return runOut(body)
  // A head whose body is not there yet goes out alone: the client of an event stream waits for it.
  // Unlike this, `flushHeaders` writes UTF-8, which fields past ASCII do not survive.
  if (body instanceof Readable && body.readableLength === 0) res.write('', 'latin1')
  await copyBody(body, res, framing)
}

/** Ends the answer, though not the connection under a client that is still sending: it would lose the answer. */
async function endAnswer({ req, res, limits }: Http1Target): Promise<void> {
  if (req.complete || res.chunkedEncoding) res.end()
  if (req.complete) return
  res.flushHeaders()
  if (!(await drainBody(req, limits))) req.socket.destroy()
  res.end()
}

/** Without a length or chunks the end of the connection is the end of the body, so only a reset shows the cut. */
function cut(res: ServerResponse, { length }: Framing): void {
  const { socket } = res
  const delimitedByClose = !res.chunkedEncoding && length === undefined
  if (delimitedByClose && socket?.remoteAddress && !('encrypted' in socket))
    socket.resetAndDestroy()
  res.destroy()
}
