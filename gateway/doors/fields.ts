import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { RawHeaders } from '../../adapters/upstream/port.ts'

/** The values of a field, in order; `name` in lower case. */
export function valuesOf(headers: RawHeaders, name: string): string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (isNamed(headers[at] ?? '', name)) values.push(headers[at + 1] ?? '')
  }
  return values
}

/** The members of a comma-separated field, in lower case. */
export function tokensOf(headers: RawHeaders, name: string): string[] {
  const values = valuesOf(headers, name)
  if (values.length === 0) return values
  return values
    .flatMap((value) => value.split(','))
    .map((token) => token.trim().toLowerCase())
    .filter((token) => token !== '')
}

// What belongs to one connection and not to the message (RFC 9110, 7.6.1).
const PER_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

const PER_CONNECTION_LENGTHS = new Set([...PER_CONNECTION].map(({ length }) => length))

/** By its length first: most names have another one, and need no second look. */
function isPerConnection(name: string): boolean {
  return PER_CONNECTION_LENGTHS.has(name.length) && PER_CONNECTION.has(name.toLowerCase())
}

function isNamed(name: string, wanted: string): boolean {
  return name.length === wanted.length && name.toLowerCase() === wanted
}

/** The fields without those that are for one connection, nor those in `without` (lower case). */
export function messageFields(headers: RawHeaders, without: readonly string[] = []): string[] {
  const named = [...tokensOf(headers, 'connection'), ...without]
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (!isPerConnection(name) && !named.some((other) => isNamed(name, other)))
      kept.push(name, headers[at + 1] ?? '')
  }
  return kept
}

/** Flat fields as pairs. */
export function pairsOf(headers: RawHeaders): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    pairs.push([headers[at] ?? '', headers[at + 1] ?? ''])
  }
  return pairs
}

// What RFC 9110, 5.5 and 5.6.2 let stand in a name and in a value.
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/

/** Throws as Node's own writer does where these are no fields: names that are no tokens, values with control bytes. */
export function assertWritable(headers: RawHeaders): void {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    if (NAME.test(name) && !FORBIDDEN.test(value)) continue
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
}

/** Whether these are fields at all. */
export function areWritable(headers: RawHeaders): boolean {
  try {
    assertWritable(headers)
    return true
  } catch {
    return false
  }
}
