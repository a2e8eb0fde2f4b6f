import type { Readable } from 'node:stream'

/** The beginning of a stream, and whether it is all of it. */
export interface FirstPart {
  readonly bytes: Buffer
  readonly whole: boolean
}

/**
 * Reads up to `limit` bytes. Where the stream is longer, what was read is put back, so that the next reader
 * begins at its start.
 */
export async function firstPart(stream: Readable, limit: number): Promise<FirstPart> {
  const chunks: Buffer[] = []
  let length = 0
  for (;;) {
    const chunk = stream.read() as Buffer | null
    if (chunk === null) {
      if (stream.readableEnded) return { bytes: Buffer.concat(chunks, length), whole: true }
      await moreOf(stream)
      continue
    }
    chunks.push(chunk)
    length += chunk.length
    if (length > limit) {
      stream.unshift(Buffer.concat(chunks, length))
      return { bytes: Buffer.alloc(0), whole: false }
    }
  }
}

/** Resolves when there may be more to read, or the end was reached; rejects where the stream broke. */
function moreOf(stream: Readable): Promise<void> {
  if (stream.destroyed) return Promise.reject(stream.errored ?? new Error('the body was cut off'))
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      for (const [event, listener] of listeners) stream.off(event, listener)
      act()
    }
    const listeners: [string, (error?: unknown) => void][] = [
      ['readable', settle(resolve)],
      ['end', settle(resolve)],
      ['close', settle(resolve)],
      ['error', (error) => settle(() => reject(error as Error))()],
    ]
    for (const [event, listener] of listeners) stream.on(event, listener)
  })
}
