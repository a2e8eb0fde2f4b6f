import { constants } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import { pipeline } from 'node:stream/promises'
import type { Reply } from '../knock.ts'
import { valuesOf } from './fields.ts'
import { toHttp2 } from './http2-fields.ts'
import { discard, hasBody, runOut } from './reply.ts'

const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants

/**
 * Writes a Reply on an HTTP/2 stream. Where the body breaks off the stream is reset: half an answer never looks whole.
 */
export async function writeReplyHttp2(
  stream: ServerHttp2Stream,
  reply: Reply,
  method: string,
): Promise<void> {
  if (stream.destroyed || stream.closed || reply.socket) return discard(reply)
  try {
    await sendReply(stream, reply, method)
    if (reply.close) stream.session?.close()
  } catch {
    // Why is the exchange's to record: it sees its own stream fail, or the client's signal.
    discard(reply)
    stream.close(NGHTTP2_INTERNAL_ERROR)
  }
}

async function sendReply(stream: ServerHttp2Stream, reply: Reply, method: string): Promise<void> {
  const bodied = hasBody(reply.status, method)
  if (!bodied) await runOut(reply.body)
  const trailed = bodied && reply.trailers !== undefined
  const empty = !bodied || (reply.body === null && !trailed)
  stream.respond(headOf(reply), { endStream: empty, waitForTrailers: trailed })
  stream.once('finish', () => {
    // The answer is whole: the rest of the request is not wanted any more (RFC 9113, 8.1).
    if (!stream.readableEnded) stream.close(NGHTTP2_NO_ERROR)
  })
  if (trailed) stream.once('wantTrailers', () => sendTrailers(stream, reply))
  if (empty) return
  await sendBody(stream, reply)
  stream.end()
}

function headOf(reply: Reply) {
  const { body, status, headers } = reply
  if (!Buffer.isBuffer(body)) return { ':status': status, ...toHttp2(headers) }
  const fields = toHttp2(headers, ['content-length'])
  return { ':status': status, ...fields, 'content-length': String(body.length) }
}

async function sendBody(stream: ServerHttp2Stream, { body, headers }: Reply): Promise<void> {
  if (body === null) return
  if (Buffer.isBuffer(body)) return void stream.write(body)
  let sent = 0
  body.on('data', (chunk: Buffer) => {
    sent += chunk.length
  })
  await pipeline(body, stream, { end: false })
  const [length] = valuesOf(headers, 'content-length')
  if (length !== undefined && Number(length) !== sent) {
    throw new Error(`the body has ${sent} bytes where its head says ${length}`)
  }
}

function sendTrailers(stream: ServerHttp2Stream, { trailers }: Reply): void {
  try {
    stream.sendTrailers(toHttp2(trailers?.() ?? []))
  } catch {
    // Fields that HTTP/2 cannot carry; to end without them would look whole.
    stream.close(NGHTTP2_INTERNAL_ERROR)
  }
}
