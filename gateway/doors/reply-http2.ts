import { once } from 'node:events'
import { constants } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import { Readable } from 'node:stream'
import type { Reply } from '../knock.ts'
import type { Limits } from '../limits.ts'
import { drainBody } from './body.ts'
import { toHttp2 } from './http2-fields.ts'
import { frame } from './reply-framing.ts'
import { copyBody, discard, runOut } from './reply.ts'

const PIECE_BYTES = 65_536
const MAX_STATUS = 599
const BAD_GATEWAY = 502

/** Where an answer goes on an HTTP/2 connection. */
export interface Http2Target {
  readonly stream: ServerHttp2Stream
  readonly method: string
  /** Called before the door itself resets the stream of a client that is still there. */
  readonly onCut: () => void
  readonly limits: Limits
}

/**
 * Writes a Reply on an HTTP/2 stream. Where the body breaks off, or is not as long as its Content-Length, the
 * stream is reset: half an answer never looks whole.
 */
export async function writeReplyHttp2(target: Http2Target, reply: Reply): Promise<void> {
  const { stream } = target
  if (stream.destroyed || stream.closed || reply.socket) return discard(reply)
  try {
    await sendReply(target, reply)
    if (reply.close) stream.session?.close()
  } catch (error) {
    // Why is the exchange's to record: it sees its own stream fail, or the client's signal.
    const there = !stream.destroyed && !stream.closed
    if (there) target.onCut()
    discard(reply, there ? error : undefined)
    breakOff(stream)
  }
}

/** `close` with an error code would end the stream in good order first; only `destroy` does not. */
export function breakOff(stream: ServerHttp2Stream): void {
  stream.destroy(new Error('the answer broke off'))
}

async function sendReply({ stream, method, limits }: Http2Target, reply: Reply): Promise<void> {
  const framing = frame(reply, method)
  if (!framing.bodied) await runOut(reply.body)
  const trailed = framing.bodied && hasTrailers(reply)
  const endStream = !framing.bodied || (reply.body === null && !trailed)
  const head = { ':status': statusOf(reply), ...toHttp2(framing.fields) }
  stream.respond(head, { endStream, waitForTrailers: trailed })
  if (trailed) stream.once('wantTrailers', () => sendTrailers(stream, reply))
  if (!endStream) {
    await copyBody(inPieces(reply.body), stream, framing)
    stream.end()
  }
  if (stream.endAfterHeaders) return
  if (!stream.writableFinished) await once(stream, 'finish')
  // The answer is whole: the rest of the request is not wanted any more (RFC 9113, 8.1).
  if (!(await drainBody(stream, limits))) stream.close(constants.NGHTTP2_NO_ERROR)
}

/** What a cancelled stream has not sent stays counted against its connection's memory: that had better be little. */
function inPieces(body: Reply['body']): Reply['body'] {
  if (!Buffer.isBuffer(body) || body.length <= PIECE_BYTES) return body
  const count = Math.ceil(body.length / PIECE_BYTES)
  const pieces = Array.from({ length: count }, (_, at) =>
    body.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES),
  )
  return Readable.from(pieces, { objectMode: false })
}

/** Without a body they are known: where there are none the head ends the stream, as gRPC has it for errors. */
function hasTrailers({ body, trailers }: Reply): boolean {
  return trailers !== undefined && (body !== null || trailers().length > 0)
}

/** Node's HTTP/2 sends no status that HTTP does not define; to a client it is the upstream's fault. */
function statusOf({ status }: Reply): number {
  return status > MAX_STATUS ? BAD_GATEWAY : status
}

function sendTrailers(stream: ServerHttp2Stream, { trailers }: Reply): void {
  try {
    stream.sendTrailers(toHttp2(trailers?.() ?? []))
  } catch {
    // Fields that HTTP/2 cannot carry; to end without them would look whole.
    breakOff(stream)
  }
}
