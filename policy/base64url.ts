import { charsOf } from './bytes.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const NONE = 64

const CODES: Uint8Array = Uint8Array.from(Array.from(ALPHABET, (char) => char.charCodeAt(0)))

/** The value of each ASCII character. */
const VALUE: Uint8Array = new Uint8Array(128).fill(NONE)
for (const [value, char] of Array.from(ALPHABET).entries()) VALUE[char.charCodeAt(0)] = value

/** Base64url without padding (RFC 4648 section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  const codes = new Uint8Array(Math.ceil((bytes.length * 4) / 3))
  let bits = 0
  let held = 0
  let length = 0
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0x3fff
    held += 8
    while (held >= 6) {
      held -= 6
      codes[length++] = CODES[(bits >> held) & 63]!
    }
  }
  if (held > 0) codes[length] = CODES[(bits << (6 - held)) & 63]!
  return charsOf(codes)
}

/** Undefined where the text is not the one spelling of some bytes: bits left over at its end must be 0. */
export function decodeBase64url(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const value = VALUE[text.charCodeAt(at)] ?? NONE
    if (value === NONE) return undefined
    bits = ((bits << 6) | value) & 0xfff
    held += 6
    if (held < 8) continue
    held -= 8
    bytes[length++] = (bits >> held) & 0xff
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : undefined
}
