import type { ClientRequest } from 'node:http'
import type { Readable } from 'node:stream'
import type { RawHeaders } from './port.ts'

interface PumpOptions {
  /** Bytes that were promised, or undefined where the body is chunked. */
  readonly length: number | undefined
  readonly trailers: () => RawHeaders
  /** The upstream has to take bytes or to answer. */
  readonly onWaiting: () => void
  /** It is the client's turn to send. */
  readonly onIdle: () => void
  /** The body broke its promise or off; the connection must not be used on. */
  readonly onBroken: (why: string) => void
}

/**
 * Writes the body as it comes and never more than the upstream takes. It leaves `body` whole: the client's
 * connection may hang on it, and an answer is still to go there. Gives a function that stops reading.
 */
export function pumpBody(body: Readable, request: ClientRequest, options: PumpOptions): () => void {
  let sent = 0

  const onData = (chunk: Buffer) => {
    sent += chunk.length
    if (options.length !== undefined && sent > options.length) {
      return broken(`body exceeds its content-length \`${options.length}\``)
    }
    if (request.write(chunk)) return
    body.pause()
    options.onWaiting()
  }
  const onDrain = () => {
    options.onIdle()
    body.resume()
  }
  const onEnd = () => {
    if (options.length !== undefined && sent < options.length) {
      return broken(`body ends at \`${sent}\` bytes of its content-length \`${options.length}\``)
    }
    stop()
    options.onWaiting()
    finish(request, options)
  }
  const onError = () => broken('the request body broke off')
  const onClose = () => broken('the request body closed early')
  const broken = (why: string) => {
    stop()
    options.onBroken(why)
  }
  const stop = () => {
    body.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose).pause()
    request.off('drain', onDrain)
  }

  request.on('drain', onDrain)
  body.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  options.onIdle()
  return stop
}

/** Trailer fields exist in chunked framing only (RFC 9112 7.1.2). */
function finish(request: ClientRequest, { length, trailers }: PumpOptions): void {
  const fields = length === undefined ? trailers() : []
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < fields.length; i += 2) pairs.push([fields[i] ?? '', fields[i + 1] ?? ''])
  if (pairs.length > 0) request.addTrailers(pairs)
  request.end()
}
