import { utf8 } from '@scure/base'

/**
 * The UTF-8 of a text; most are short and ASCII, where a loop beats the encoder.
 * @throws TypeError where the text is not well-formed
 */
export function bytesOf(text: string): Uint8Array {
  return asciiBytes(text) ?? utf8.decode(text)
}

/** The bytes of an ASCII text; undefined for any other. */
export function asciiBytes(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 0x7f) return undefined
    bytes[at] = code
  }
  return bytes
}
