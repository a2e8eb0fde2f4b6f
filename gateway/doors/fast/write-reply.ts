import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { ClientGone } from '../../client-gone.ts'
import type { Reply } from '../../knock.ts'
import { areWritable, assertWritable } from '../fields.ts'
import { phraseOf } from '../reply-framing.ts'
import type { Framing } from '../reply-framing.ts'
import { runOut } from '../reply.ts'
import { httpDate } from './date.ts'

/** Where an answer goes, and what its connection does then. */
export interface FastTarget {
  readonly socket: Socket
  readonly method: string
  readonly close: boolean
  /** Seconds that the connection stays open without a request, as its client is told. */
  readonly keepAliveSeconds: number
}

/**
 * Writes a Reply, in one write where its body is at hand. Rejects where the body breaks off or is not as long as its
 * Content-Length; the connection must then be cut, so that half an answer never looks whole. `Framing` says how.
 */
export function writeFastReply(
  target: FastTarget,
  reply: Reply,
  framing: Framing,
): Promise<void> | undefined {
  const head = headOf(target, reply, framing)
  const { body } = reply
  const { socket } = target
  if (!framing.bodied) {
    socket.write(head, 'latin1')
    return body instanceof Readable ? runOut(body) : undefined
  }
  if (Buffer.isBuffer(body)) return void writeWhole(socket, head, body)
  const trailers = reply.trailers ?? (() => [])
  return stream(socket, { head, body: body ?? Readable.from([]), framing, trailers })
}

/** Up to here head and body are copied together, which costs less than a second buffer in the write. */
const COPIED_BYTES = 16_384

function writeWhole(socket: Socket, head: string, body: Buffer): void {
  if (body.length > COPIED_BYTES) {
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(body)
    socket.uncork()
    return
  }
  const all = Buffer.allocUnsafe(head.length + body.length)
  all.write(head, 0, 'latin1')
  all.set(body, head.length)
  socket.write(all)
}

/** As the general engine writes it: the answer's own fields, then what concerns the connection. */
function headOf({ close, keepAliveSeconds }: FastTarget, reply: Reply, framing: Framing): string {
  const { fields } = framing
  let dated = false
  let text = `HTTP/1.1 ${reply.status} ${phraseOf(reply)}\r\n`
  assertWritable(fields)
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] as string
    dated ||= name.length === 4 && name.toLowerCase() === 'date'
    text += `${name}: ${fields[at + 1]}\r\n`
  }
  if (!dated) text += `Date: ${httpDate()}\r\n`
  text += close
    ? 'Connection: close\r\n'
    : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n`
  const chunked = framing.bodied && framing.length === undefined
  return chunked ? `${text}Transfer-Encoding: chunked\r\n\r\n` : `${text}\r\n`
}

interface Streaming {
  readonly head: string
  readonly body: Readable
  readonly framing: Framing
  readonly trailers: () => readonly string[]
}

/** Copies a body as it comes and as its reader takes it. */
async function stream(socket: Socket, { head, body, framing, trailers }: Streaming): Promise<void> {
  const { length } = framing
  let sent = 0
  // Whatever lies ready leaves together with the head; else the head goes alone: an event stream's client waits for it.
  socket.cork()
  socket.write(head, 'latin1')
  process.nextTick(() => socket.uncork())
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sent += chunk.length
    if (length !== undefined && sent > length) break
    const room = length === undefined ? writeChunk(socket, chunk) : socket.write(chunk)
    if (!room) await drained(socket)
  }
  if (length === undefined) socket.write(`0\r\n${linesOf(trailers())}\r\n`, 'latin1')
  else if (sent !== length)
    throw new Error(`the body has ${sent} bytes where its head says ${length}`)
}

function writeChunk(socket: Socket, chunk: Buffer): boolean {
  if (chunk.length === 0) return true
  socket.cork()
  socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1')
  socket.write(chunk)
  const room = socket.write('\r\n', 'latin1')
  socket.uncork()
  return room
}

/** Resolves when the client takes bytes again; rejects once its connection is closed, and not before that is told. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      socket.off('drain', settle).off('close', settle)
      if (socket.destroyed) reject(new ClientGone())
      else resolve()
    }
    if (socket.closed) settle()
    else socket.on('drain', settle).on('close', settle)
  })
}

function linesOf(fields: readonly string[]): string {
  if (!areWritable(fields)) return ''
  let text = ''
  for (let at = 0; at + 1 < fields.length; at += 2) text += `${fields[at]}: ${fields[at + 1]}\r\n`
  return text
}
