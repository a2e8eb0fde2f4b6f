const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const NONE = 64

/** The value of each ASCII character. */
const VALUE: Uint8Array = new Uint8Array(128).fill(NONE)
for (const [value, char] of Array.from(ALPHABET).entries()) VALUE[char.charCodeAt(0)] = value

/** Base64url without padding (RFC 4648 section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  let text = ''
  let at = 0
  for (; at + 2 < bytes.length; at += 3) {
    const group = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!
    text += ALPHABET[group >> 18]! + ALPHABET[(group >> 12) & 63]!
    text += ALPHABET[(group >> 6) & 63]! + ALPHABET[group & 63]!
  }
  const left = bytes.length - at
  if (left === 0) return text
  const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8)
  text += ALPHABET[group >> 18]! + ALPHABET[(group >> 12) & 63]!
  return left === 1 ? text : text + ALPHABET[(group >> 6) & 63]!
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
