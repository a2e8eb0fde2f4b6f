import { Transform } from 'node:stream'
import { createMeasure } from './measure.ts'
import type { Totals } from './measure.ts'

/**
 * Passes bytes on at once, but holds the piece by which the client learns that the body is whole, until `beforeLast`
 * has resolved: the chunk that completes a known length, or the end where the length is unknown (chunked framing).
 * So no whole answer leaves before its outcome is durable. `beforeLast` is called once, with the totals of the whole
 * body; where it rejects, or the body misses its length, the stream fails and the last piece never leaves.
 */
export function holdLastPiece(
  contentLength: number | undefined,
  beforeLast: (totals: Totals) => Promise<void>,
): Transform {
  const measure = createMeasure()
  let bytes = 0
  let released: Promise<void> | undefined
  const release = () => (released ??= beforeLast(measure.totals()))

  return new Transform({
    transform(chunk: Buffer, _encoding, proceed) {
      bytes += chunk.length
      measure.update(chunk)
      if (contentLength === undefined || bytes < contentLength) return proceed(null, chunk)
      if (bytes > contentLength) return proceed(wrongLength(contentLength, bytes))
      release().then(() => proceed(null, chunk), proceed)
    },
    flush(proceed) {
      if (contentLength !== undefined && bytes < contentLength) {
        return proceed(wrongLength(contentLength, bytes))
      }
      release().then(() => proceed(), proceed)
    },
  })
}

function wrongLength(promised: number, got: number): RangeError {
  return new RangeError(
    `the body has \`${got}\` bytes, its content-length says ${promised}; check the upstream`,
  )
}
