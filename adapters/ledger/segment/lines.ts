import { readSync } from 'node:fs'
import { MAX_LINE_BYTES } from './chain.ts'

const CHUNK_BYTES = 256 * 1024
const LF = 0x0a

/** One whole line of a file. */
export interface Line {
  /** Of its first byte. */
  readonly offset: number
  /** Of the byte behind its line feed. */
  readonly next: number
  /** Without the line feed; good until the next line is taken. */
  readonly bytes: Buffer
}

/**
 * The whole lines of an open file from an offset on. What follows the last line feed is not given:
 * a caller that cares compares the last `next` with the file's size.
 */
export function* readLines(fd: number, from: number): Generator<Line, void> {
  let pending = Buffer.alloc(0)
  let offset = from
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const count = readSync(fd, chunk, 0, CHUNK_BYTES, offset + pending.length)
    if (count === 0) return
    const searched = pending.length
    pending = Buffer.concat([pending, chunk.subarray(0, count)])
    let start = 0
    let end = pending.indexOf(LF, searched)
    while (end !== -1) {
      const next = offset + end + 1
      yield { offset: offset + start, next, bytes: pending.subarray(start, end) }
      start = end + 1
      end = pending.indexOf(LF, start)
    }
    offset += start
    pending = pending.subarray(start)
    if (pending.length > MAX_LINE_BYTES) return
  }
}
