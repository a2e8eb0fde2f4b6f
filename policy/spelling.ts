import { utf8 } from '@scure/base'
import { decodeBase64url, encodeBase64url } from './base64url.ts'
import { bytesOf } from './bytes.ts'
import { TokenFault } from './faults.ts'
import { hasControl, isWellFormed } from './text.ts'

/** Most lines that a token may hold. */
export const MAX_LINES = 64
const MAX_ID = 128
const SIGNATURE_BYTES = 32

/** What a token says of itself; nothing of it is proven. */
export interface Spelled {
  readonly id: string
  readonly lines: readonly string[]
  /** The last place of the chain, as claimed. */
  readonly signature: Uint8Array
}

/** Writes a token in its one spelling. */
export function spellToken({ id, lines, signature }: Spelled): string {
  return `g1.${encodeBase64url(bytesOf(payloadText(id, lines)))}.${encodeBase64url(signature)}`
}

/**
 * Takes a token apart and refuses every spelling but the one that `spellToken` gives.
 * @throws TokenFault of the stage `format`
 */
export function readSpelling(text: string): Spelled {
  const [version, payload, signature, ...rest] = text.split('.')
  if (payload === undefined || signature === undefined || rest.length > 0) {
    throw malformed('a token has three segments, parted by dots')
  }
  if (version !== 'g1') throw malformed('a token begins with `g1.`')
  const bytes = decode(signature, 'signature')
  if (bytes.length !== SIGNATURE_BYTES) {
    throw malformed(`the signature has \`${bytes.length}\` bytes; it must have ${SIGNATURE_BYTES}`)
  }
  const { id, lines } = readPayload(payload)
  return { id, lines, signature: bytes }
}

/** @throws TokenFault of the stage `format` where the id may not stand in a token */
export function checkId(id: string): void {
  const length = Array.from(id).length
  if (length < 1 || length > MAX_ID) {
    throw malformed(`the id has \`${length}\` characters; it must have 1 to ${MAX_ID}`)
  }
  if (!isWellFormed(id) || hasControl(id)) {
    throw malformed('the id holds a control character or half a surrogate pair')
  }
}

/** @throws TokenFault of the stage `format` where there are too many lines, or half a character */
export function checkLines(lines: readonly string[]): void {
  if (lines.length > MAX_LINES) {
    throw malformed(`the token has \`${lines.length}\` lines; at most ${MAX_LINES} are allowed`)
  }
  if (!lines.every(isWellFormed)) throw malformed('a line holds half a surrogate pair')
}

function readPayload(payload: string): { id: string; lines: readonly string[] } {
  const { text, value } = readJson(decode(payload, 'payload'))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('the payload is not a JSON object')
  }
  const { i: id, c: lines } = value as { readonly i?: unknown; readonly c?: unknown }
  if (typeof id !== 'string') throw malformed('the payload has no id')
  if (!isTexts(lines)) throw malformed('the payload has no list of lines, all of them texts')
  checkId(id)
  checkLines(lines)
  // One comparison stands for key order, extra and repeated keys, white space, escapes, a byte
  // order mark: none of them comes out of the writer. Base64url and UTF-8 were read strictly, so
  // that one text stands for one payload.
  if (payloadText(id, lines) !== text) throw malformed('the payload is not in its one spelling')
  return { id, lines }
}

function payloadText(id: string, lines: readonly string[]): string {
  return JSON.stringify({ i: id, c: lines })
}

function decode(segment: string, name: string): Uint8Array {
  const bytes = decodeBase64url(segment)
  if (bytes === undefined) throw malformed(`the ${name} is not base64url without padding`)
  return bytes
}

function readJson(bytes: Uint8Array): { readonly text: string; readonly value: unknown } {
  try {
    // Keeps a byte order mark in the text, where JSON.parse refuses it.
    const text = utf8.encode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    throw malformed('the payload is not JSON in UTF-8')
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function malformed(reason: string): TokenFault {
  return new TokenFault('format', reason)
}
