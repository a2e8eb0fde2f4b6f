import { createReadStream } from 'node:fs'

const MAX_LINE_BYTES = 16 * 1024 * 1024
const LF = 0x0a

/** A line of a segment, without its line feed. */
export interface Line {
  readonly file: string
  /** Of its first byte. */
  readonly offset: number
  readonly bytes: Buffer
  /** How it ended: a line feed, the file's end, or not within the longest line that is read. */
  readonly end: 'whole' | 'torn' | 'endless'
}

/** The lines of a file, in constant memory. */
export async function* linesOf(file: string): AsyncGenerator<Line, void> {
  let rest = Buffer.alloc(0)
  let offset = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    rest = Buffer.concat([rest, chunk as Buffer])
    let start = 0
    for (let end = rest.indexOf(LF); end !== -1; end = rest.indexOf(LF, start)) {
      yield { file, offset: offset + start, bytes: rest.subarray(start, end), end: 'whole' }
      start = end + 1
    }
    offset += start
    rest = rest.subarray(start)
    if (rest.length > MAX_LINE_BYTES) return yield { file, offset, bytes: rest, end: 'endless' }
  }
  if (rest.length > 0) yield { file, offset, bytes: rest, end: 'torn' }
}
