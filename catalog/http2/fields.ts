/** Fields by name, in lower case, as HTTP/2 APIs take them: several lines of one name as an array. */
export type GroupedFields = Record<string, string | string[]>

// HTTP/2 implementations take one line of each of these. HTTP/1 peers do send them twice.
const SINGLE: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
])

/** Flat fields (name, value, name, value) by name; the order of names is that of their first lines. */
export function groupFields(fields: readonly string[]): GroupedFields {
  const grouped = new Map<string, string[]>()
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = (fields[at] as string).toLowerCase()
    const values = grouped.get(name)
    if (values === undefined) grouped.set(name, [fields[at + 1] as string])
    else values.push(fields[at + 1] as string)
  }
  return Object.fromEntries([...grouped].map(([name, values]) => [name, joined(name, values)]))
}

/** Lines of one field mean the same as one line with a comma between them (RFC 9110, 5.3). */
function joined(name: string, values: string[]): string | string[] {
  return values.length === 1 || SINGLE.has(name) ? [...new Set(values)].join(', ') : values
}

/** The fields of a raw head without its pseudo-fields (RFC 9113, 8.3). */
export function plainFields(raw: readonly string[]): readonly string[] {
  const fields: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string
    if (!name.startsWith(':')) fields.push(name, raw[at + 1] as string)
  }
  return fields
}
