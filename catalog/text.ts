/**
 * UTF-8 from and to text. Every runtime has the two classes, but they belong to no ECMAScript
 * library, and this folder compiles without the types of any runtime: so they are declared here.
 */
interface Encoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}

interface Decoder {
  decode(bytes: Uint8Array): string
}

interface Runtime {
  readonly TextEncoder: new () => Encoder
  readonly TextDecoder: new (
    label: string,
    options: { fatal: boolean; ignoreBOM: boolean },
  ) => Decoder
}

const runtime = globalThis as unknown as Runtime
const encoder = new runtime.TextEncoder()
// ignoreBOM keeps a byte order mark in the text, where JSON.parse refuses it as it must.
const decoder = new runtime.TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The UTF-8 bytes of a text. Lone surrogates become U+FFFD, as everywhere. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** The text of UTF-8 bytes; throws a TypeError where they are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
