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
  const wait = createWait(stream)
  try {
    for (;;) {
      const chunk = stream.read() as Buffer | null
      if (chunk === null) {
        if (stream.readableEnded) return { bytes: oneBuffer(chunks, length), whole: true }
        await wait.more()
        continue
      }
      chunks.push(chunk)
      length += chunk.length
      if (length > limit) {
        stream.unshift(oneBuffer(chunks, length))
        return { bytes: EMPTY, whole: false }
      }
    }
  } finally {
    wait.stop()
  }
}

const EMPTY = Buffer.alloc(0)

function oneBuffer(chunks: readonly Buffer[], length: number): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length)
}

/** Waits for a stream's next piece or its end, with one set of listeners for all waits. */
function createWait(stream: Readable): { more(): Promise<void>; stop(): void } {
  let settle: { resolve: () => void; reject: (error: Error) => void } | undefined
  const wake = () => settle?.resolve()
  const fail = (error: Error) => settle?.reject(error)
  const broken = () => new Error('the body was cut off')
  const close = () => (stream.readableEnded ? wake() : fail(stream.errored ?? broken()))
  stream.on('readable', wake).on('end', wake).on('error', fail).on('close', close)
  return {
    more() {
      if (stream.destroyed) return Promise.reject(stream.errored ?? broken())
      return new Promise((resolve, reject) => {
        settle = { resolve, reject }
      })
    },
    stop() {
      stream.off('readable', wake).off('end', wake).off('error', fail).off('close', close)
    },
  }
}
