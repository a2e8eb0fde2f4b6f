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
  const rest = text.length % 4
  if (rest === 1) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  const whole = text.length - rest
  let length = 0
  // Of all characters at once: NONE is the one value with a bit above the lowest six.
  let seen = 0
  for (let at = 0; at < whole; at += 4) {
    const one = valueAt(text, at)
    const two = valueAt(text, at + 1)
    const three = valueAt(text, at + 2)
    const four = valueAt(text, at + 3)
    seen |= one | two | three | four
    bytes[length++] = (one << 2) | (two >> 4)
    bytes[length++] = (two << 4) | (three >> 2)
    bytes[length++] = (three << 6) | four
  }
  if (rest === 0) return seen < NONE ? bytes : undefined
  const one = valueAt(text, whole)
  const two = valueAt(text, whole + 1)
  const three = rest === 3 ? valueAt(text, whole + 2) : 0
  bytes[length++] = (one << 2) | (two >> 4)
  if (rest === 3) bytes[length] = (two << 4) | (three >> 2)
  const left = rest === 3 ? three & 3 : two & 15
  return (seen | one | two | three) < NONE && left === 0 ? bytes : undefined
}

function valueAt(text: string, at: number): number {
  return VALUE[text.charCodeAt(at)] ?? NONE
}
