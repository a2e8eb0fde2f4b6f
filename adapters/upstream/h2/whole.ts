import type { ClientHttp2Stream } from 'node:http2'

/**
 * Follows a stream, and tells whether its answer came to its own end (END_STREAM). Node ends the readable side by the same
 * event where the upstream reset the stream with NO_ERROR instead: then it does so because the stream is closed, else
 * before. To a slow reader the event comes too late to tell.
 */
export function watchEnd(stream: ClientHttp2Stream): () => boolean {
  const push = stream.push.bind(stream)
  let whole = false
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null && !stream.closed) whole = true
    return push(chunk, encoding)
  }
  return () => whole
}
