import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'

/**
 * Cuts an HTTP/1 exchange whose connection was silent for `idleMs` while it is the client's turn. The silence is
 * counted by Node from the server's own `timeout` on; a slow upstream is not held against the client.
 */
export function watchIdle(req: IncomingMessage, res: ServerResponse, idleMs: number): void {
  res.on('timeout', (socket: Socket) => {
    if ((wantsBytes(req) && !req.complete) || holdsBytes(socket)) socket.destroy()
    else socket.setTimeout(idleMs)
  })
}

/** The same for an HTTP/2 stream, which `cut` ends. */
export function watchIdleStream(stream: ServerHttp2Stream, idleMs: number, cut: () => void): void {
  stream.setTimeout(idleMs)
  stream.on('timeout', () => {
    if ((wantsBytes(stream) && !stream.endAfterHeaders) || holdsBytes(stream)) cut()
    else stream.setTimeout(idleMs)
  })
}

/** Somebody reads the request's body, and its end has not come. */
function wantsBytes(body: Readable): boolean {
  return body.readableFlowing === true && !body.readableEnded
}

/** Bytes were written that the client does not take. */
function holdsBytes({ writableLength }: Writable): boolean {
  return writableLength > 0
}
