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

// Arguments of one call lie on the stack; for a few it costs more than joining them.
const MAX_ARGUMENTS = 4096
const FEW = 48

/** A text of one character a byte. */
export function charsOf(bytes: Uint8Array): string {
  let text = ''
  if (bytes.length <= FEW) {
    for (const byte of bytes) text += String.fromCharCode(byte)
    return text
  }
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS) {
    const part = bytes.subarray(at, at + MAX_ARGUMENTS)
    text += Reflect.apply(String.fromCharCode, undefined, part) as string
  }
  return text
}
