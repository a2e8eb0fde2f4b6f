import { inputFormOf } from '../../catalog/index.ts'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { refusal } from '../refusal.ts'
import { getAllHeaders, getHeader } from './headers.ts'
import { keyInJson, keyInUrl, type Placeholder } from './placeholders.ts'

/** A request body with keys in it. */
export interface ArmedBody {
  /** As the client sent it: it is what receipts and the store see. */
  readonly seen: Buffer
  /** As it goes upstream. */
  readonly sent: Buffer
}

/** The forms of body in which placeholders can be found: plain, so that it is read as the upstream reads it. */
export type BodyForm = 'json' | 'form'

/**
 * Undefined where no placeholder is looked for.
 * @throws Refusal where the fields name several media types, so that who reads the body decides which form it has
 */
export function bodyForm(headers: RawHeaders): BodyForm | undefined {
  if (getHeader(headers, 'content-encoding') !== undefined) return undefined
  // A reader may join the lines to one list, or part one line at its commas (RFC 9110, 5.3).
  const types = getAllHeaders(headers, 'content-type').flatMap((value) => value.split(','))
  const [form, ...others] = new Set(types.map(formOf))
  if (others.length === 0) return form
  throw refusal('malformed_request', 'content-type', {
    got: `${types.length} media types, where a key may have its place in the body`,
    repair: 'send one Content-Type',
  })
}

function formOf(type: string): BodyForm | undefined {
  if (/^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return 'form'
  return inputFormOf(type) === undefined ? undefined : 'json'
}

export interface BodyKey {
  readonly placeholder: Placeholder
  readonly key: string
}

const STRING = /"[^"\\]*(?:\\[^][^"\\]*)*"(?:\s*:)?/g

/** Puts the keys into the values of a body; names of members and fields stay as they are. */
export function armBody(body: Buffer, form: BodyForm, keys: readonly BodyKey[]): ArmedBody {
  // Bytes, not characters: what is no key is sent as it came, whatever its character set.
  const text = body.toString('latin1')
  const armed = form === 'json' ? inJson(text, keys) : inForm(text, keys)
  return { seen: body, sent: armed === text ? body : Buffer.from(armed, 'latin1') }
}

function inJson(text: string, keys: readonly BodyKey[]): string {
  return text.replaceAll(STRING, (string) => {
    if (string.endsWith(':')) return string
    return keys.reduce(
      (value, { placeholder, key }) => value.replaceAll(placeholder.json, () => keyInJson(key)),
      string,
    )
  })
}

function inForm(text: string, keys: readonly BodyKey[]): string {
  const pairs = text.split('&').map((pair) => {
    const value = pair.indexOf('=') + 1
    if (value === 0) return pair
    const armed = keys.reduce(
      (rest, { placeholder, key }) => rest.replaceAll(placeholder.url, () => keyInUrl(key)),
      pair.slice(value),
    )
    return pair.slice(0, value) + armed
  })
  return pairs.join('&')
}

/**
 * Follows a body past and calls `onFound` where one of the placeholders stands in it, wherever it is split. It keeps
 * the end of what has passed, as long as a placeholder can be in its longest spelling.
 */
export function createLookout(
  placeholders: readonly Placeholder[],
  form: BodyForm,
  onFound: (placeholder: Placeholder) => never,
): (chunk: Buffer) => void {
  const longest = Math.max(...placeholders.map(({ text }) => text.length)) * MOST_SPELLED
  let end: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const seen = end.length === 0 ? chunk : Buffer.concat([end, chunk])
    for (const placeholder of placeholders)
      if (bodyHolds(seen, form, placeholder)) onFound(placeholder)
    end = Buffer.from(seen.subarray(Math.max(0, seen.length - longest)))
  }
}

/** Characters of one that is escaped: `\u00XX`. */
const MOST_SPELLED = 6

/** Whether the placeholder stands anywhere in the body, in the spelling of its form. */
export function bodyHolds(body: Buffer, form: BodyForm, placeholder: Placeholder): boolean {
  const pattern = form === 'json' ? placeholder.json : placeholder.url
  return body.toString('latin1').search(pattern) >= 0
}
