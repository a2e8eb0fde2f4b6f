import { parseFields } from './head.ts'

/** A size line, extensions included; no honest sender needs more. */
const MAX_LINE_BYTES = 4_096
const MAX_TRAILER_BYTES = 65_536
/** 52 bits: sizes stay whole numbers. */
const MAX_SIZE_DIGITS = 13

const LF = 0x0a

type State = 'size' | 'data' | 'after-data' | 'trailers' | 'done'

/**
 * Takes the chunks off a body (RFC 9112, 7.1), strictly: CRLF alone ends a line, sizes are bare hexadecimal digits.
 * Extensions are dropped, trailer fields kept. Bodies pass through it in pieces as they come.
 */
export class ChunkDecoder {
  #state: State = 'size'
  #left = 0
  /** Bytes of a line that is not whole yet; a byte a character. */
  #line = ''
  #trailerText = ''
  #trailers: readonly string[] = []

  /** Whether the last chunk and its trailers were read. */
  get done(): boolean {
    return this.#state === 'done'
  }

  /** Trailer fields, flat; empty until `done`. */
  get trailers(): readonly string[] {
    return this.#trailers
  }

  /**
   * Reads `bytes` and hands on the pieces of the body in them. Gives how many bytes were read: fewer than all where
   * the body ended before, -1 where they are no chunks.
   */
  push(bytes: Uint8Array, onPiece: (from: number, to: number) => void): number {
    let at = 0
    while (at < bytes.length && this.#state !== 'done') {
      if (this.#state === 'data') {
        const to = Math.min(bytes.length, at + this.#left)
        onPiece(at, to)
        this.#left -= to - at
        at = to
        if (this.#left === 0) this.#state = 'after-data'
      } else {
        at = this.#readLine(bytes, at)
        if (at < 0) return -1
      }
    }
    return at
  }

  /** Reads on to the end of a line, and takes it where it is whole; -1 where it cannot be one. */
  #readLine(bytes: Uint8Array, from: number): number {
    const end = bytes.indexOf(LF, from)
    const to = end < 0 ? bytes.length : end + 1
    if (this.#line.length + to - from > MAX_LINE_BYTES) return -1
    for (let at = from; at < to; at += 1) this.#line += String.fromCharCode(bytes[at] as number)
    if (end < 0) return this.#mayGoOn() ? to : -1
    if (!this.#line.endsWith('\r\n')) return -1
    const line = this.#line.slice(0, -2)
    this.#line = ''
    return this.#takeLine(line) ? to : -1
  }

  /** Whether a line that begins like this can become one: what cannot is refused before more is waited for. */
  #mayGoOn(): boolean {
    if (this.#state === 'after-data') return this.#line === '' || this.#line === '\r'
    return this.#state !== 'size' || SIZE_BEGINNING.test(this.#line)
  }

  #takeLine(line: string): boolean {
    if (this.#state === 'size') return this.#takeSize(line)
    if (this.#state === 'trailers') return this.#takeTrailer(line)
    this.#state = 'size'
    return line === ''
  }

  #takeSize(line: string): boolean {
    const size = SIZE_LINE.exec(line)?.[1]
    if (size === undefined || size.length > MAX_SIZE_DIGITS) return false
    this.#left = Number.parseInt(size, 16)
    this.#state = this.#left === 0 ? 'trailers' : 'data'
    return true
  }

  #takeTrailer(line: string): boolean {
    if (line !== '') {
      this.#trailerText += this.#trailerText === '' ? line : `\r\n${line}`
      return this.#trailerText.length <= MAX_TRAILER_BYTES
    }
    const trailers = parseFields(this.#trailerText)
    if (trailers === undefined) return false
    this.#trailers = trailers
    this.#state = 'done'
    return true
  }
}

const SIZE_LINE = /^([0-9A-Fa-f]+)(?:;[\t\x20-\x7e\x80-\xff]*)?$/
const SIZE_BEGINNING = /^(?:[0-9A-Fa-f]+(?:;.*|\r)?)?$/
