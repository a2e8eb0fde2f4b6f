import { utf8 } from '../text.ts'
import { FOLLOW, isHex, leastBehind, mostBehind } from './classes.ts'
import { ProjectionFault } from './fault.ts'

/** What a byte may be inside a string. */
const PLAIN = 0
const QUOTE = 1
const BACKSLASH = 2
const CONTROL = 3
/** Not ASCII: the first byte of a longer UTF-8 sequence, or an error. */
const LEAD = 4

/** Class inside a string of each byte. */
const STRING_CLASS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x22) return QUOTE
  if (byte === 0x5c) return BACKSLASH
  if (byte < 0x20) return CONTROL
  return byte < 0x80 ? PLAIN : LEAD
})

const SIMPLE_ESCAPES: ReadonlySet<number> = new Set(utf8('"\\/bfnrt'))
const LETTER_U = 0x75

/** The index of the first byte from `from` on that is not plain. Four at a time, since nearly all bytes are. */
function behindPlain(chunk: Uint8Array, from: number): number {
  const { length } = chunk
  const last = length - 4
  let at = from
  while (at <= last) {
    const one = STRING_CLASS[chunk[at]!]! | STRING_CLASS[chunk[at + 1]!]!
    const two = STRING_CLASS[chunk[at + 2]!]! | STRING_CLASS[chunk[at + 3]!]!
    if ((one | two) !== PLAIN) break
    at += 4
  }
  while (at < length && STRING_CLASS[chunk[at]!] === PLAIN) at++
  return at
}

/** A string behind its opening quote, escapes and UTF-8 checked, over as many chunks as it takes. */
export class StringToken {
  /** Whether the string has an escape, so that its bytes are not its text. */
  escaped = false
  /** Bytes that must follow: one behind a backslash, digits behind `\u`, the rest of a UTF-8 sequence. */
  #escape = false
  #hex = 0
  #follow = 0
  #low = 0x80
  #high = 0xbf

  start(): void {
    this.escaped = false
  }

  /** The index behind the closing quote, or -1 where the chunk ended first; `base` is the chunk's offset. */
  scan(chunk: Uint8Array, from: number, base: number): number {
    const { length } = chunk
    let at = from
    for (;;) {
      while (this.#isPending && at < length) this.#pending(chunk[at]!, base + at++)
      at = behindPlain(chunk, at)
      if (at === length) return -1
      const byte = chunk[at]!
      if (byte === 0x22) return at + 1
      this.#special(byte, base + at)
      at++
    }
  }

  get #isPending(): boolean {
    return this.#escape || this.#hex > 0 || this.#follow > 0
  }

  #special(byte: number, offset: number): void {
    const kind = STRING_CLASS[byte]
    if (kind === CONTROL) throw new ProjectionFault('unexpected_byte', offset)
    if (kind === BACKSLASH) {
      this.#escape = true
      this.escaped = true
      return
    }
    this.#follow = FOLLOW[byte]!
    if (this.#follow === 0) throw new ProjectionFault('bad_utf8', offset)
    this.#low = leastBehind(byte)
    this.#high = mostBehind(byte)
  }

  #pending(byte: number, offset: number): void {
    if (this.#follow > 0) {
      if (byte < this.#low || byte > this.#high) throw new ProjectionFault('bad_utf8', offset)
      this.#follow--
      this.#low = 0x80
      this.#high = 0xbf
    } else if (this.#hex > 0) {
      if (!isHex(byte)) throw new ProjectionFault('unexpected_byte', offset)
      this.#hex--
    } else {
      this.#escape = false
      if (byte === LETTER_U) this.#hex = 4
      else if (!SIMPLE_ESCAPES.has(byte)) throw new ProjectionFault('unexpected_byte', offset)
    }
  }
}
