import { utf8 } from '../text.ts'
import { isHex, sequenceOf } from './classes.ts'
import { ProjectionFault } from './fault.ts'
import type { Token } from './tokens.ts'

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

/** A string behind its opening quote, escapes and UTF-8 checked. */
export interface StringToken extends Token {
  reset(): void
  /** Whether the string has an escape, so that its bytes are not its text. */
  readonly escaped: boolean
}

/** Makes the reader of strings. */
export function createStringToken(): StringToken {
  let escape = false
  let hex = 0
  let follow = 0
  let low = 0x80
  let high = 0xbf
  let escaped = false

  const pending = (byte: number, offset: number) => {
    if (follow > 0) {
      if (byte < low || byte > high) throw new ProjectionFault('bad_utf8', offset)
      follow--
      low = 0x80
      high = 0xbf
    } else if (hex > 0) {
      if (!isHex(byte)) throw new ProjectionFault('unexpected_byte', offset)
      hex--
    } else {
      escape = false
      if (byte === LETTER_U) hex = 4
      else if (!SIMPLE_ESCAPES.has(byte)) throw new ProjectionFault('unexpected_byte', offset)
    }
  }
  const lead = (byte: number, offset: number) => {
    const sequence = sequenceOf(byte)
    if (sequence === undefined) throw new ProjectionFault('bad_utf8', offset)
    ;({ follow, low, high } = sequence)
  }

  return {
    get escaped() {
      return escaped
    },
    reset() {
      escaped = false
    },
    scan(chunk, from, base) {
      for (let at = from; at < chunk.length; at++) {
        if (escape || hex > 0 || follow > 0) {
          pending(chunk[at]!, base + at)
          continue
        }
        while (at < chunk.length && STRING_CLASS[chunk[at]!] === PLAIN) at++
        if (at === chunk.length) return -1
        const kind = STRING_CLASS[chunk[at]!]
        if (kind === QUOTE) return at + 1
        if (kind === CONTROL) throw new ProjectionFault('unexpected_byte', base + at)
        if (kind === LEAD) lead(chunk[at]!, base + at)
        if (kind === BACKSLASH) escape = escaped = true
      }
      return -1
    },
  }
}
