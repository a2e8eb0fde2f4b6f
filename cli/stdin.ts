import { EXIT, Fault } from './exit.ts'
import type { Terminal } from './terminal.ts'

/** One line as bytes decoded, or the news that it was longer than the limit. */
export type Line = { readonly text: string } | { readonly tooLong: true }

const LF = 0x0a

/**
 * Splits bytes at LF alone: a JSON string may hold U+2028 as it is, at which other readers of lines split.
 * A longer line than `limit` bytes is read past without being kept.
 */
export async function* linesOf(
  source: AsyncIterable<Buffer | string>,
  limit: number,
): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let length = 0
  const take = (piece: Buffer): void => {
    length += piece.length
    if (length <= limit) pieces.push(piece)
    else pieces = []
  }
  const finish = (): Line => {
    const line: Line =
      length > limit ? { tooLong: true } : { text: Buffer.concat(pieces).toString('utf8') }
    pieces = []
    length = 0
    return line
  }
  for await (const chunk of source) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let from = 0
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
      take(bytes.subarray(from, at))
      yield finish()
      from = at + 1
    }
    take(bytes.subarray(from))
  }
  if (length > 0) yield finish()
}

/** What `-` means on the command line. */
export const STDIN = '/dev/stdin'

const LONGEST_TOKEN = 1024 * 1024

/** A token from the command line, or from stdin where `-` stands: so it stays out of the list of processes. */
export async function readToken(token: string, terminal: Terminal): Promise<string> {
  if (token !== STDIN) return token
  for await (const line of linesOf(terminal.stdin as AsyncIterable<Buffer>, LONGEST_TOKEN)) {
    if ('text' in line) return line.text.trim()
  }
  throw new Fault(EXIT.usage, 'token: stdin is empty', 'pipe one token in, as its first line')
}
