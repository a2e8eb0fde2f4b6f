import type { Readable } from 'node:stream'

/** Where a body is written to. */
export interface BodySink {
  /** False asks the caller to wait for `drain`. */
  write(chunk: Buffer): boolean
  on(event: 'drain', listener: () => void): unknown
  off(event: 'drain', listener: () => void): unknown
}

interface PumpOptions {
  /** Bytes that were promised, or undefined where the body is chunked. */
  readonly length: number | undefined
  /** All of it was written. */
  readonly onEnd: () => void
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
export function pumpBody(body: Readable, sink: BodySink, options: PumpOptions): () => void {
  let sent = 0

  const onData = (chunk: Buffer) => {
    sent += chunk.length
    if (options.length !== undefined && sent > options.length) {
      return broken(`body exceeds its content-length \`${options.length}\``)
    }
    if (sink.write(chunk)) return
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
    options.onEnd()
  }
  const onError = () => broken('the request body broke off')
  const onClose = () => broken('the request body closed early')
  const broken = (why: string) => {
    stop()
    options.onBroken(why)
  }
  const stop = () => {
    body.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose).pause()
    sink.off('drain', onDrain)
  }

  sink.on('drain', onDrain)
  body.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  // It may have broken off while the connection was being made, and says so only once.
  if (body.destroyed && !body.readableEnded) onClose()
  else options.onIdle()
  return stop
}
