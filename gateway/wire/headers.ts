import type { RawHeaders } from '../../adapters/upstream/port.ts'

/**
 * Fields that concern one connection only (RFC 9110 7.6.1 and its older kin); they are never forwarded.
 * `TE` is treated apart, `Trailer` travels with the trailers it names.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-authentication-info',
  'te',
  'transfer-encoding',
  'upgrade',
])

/**
 * Fields that a `Connection` line cannot take away: without them the next reader would see another request.
 */
const KEPT = new Set(['host', 'content-length'])

/** Our own fields on answers; an upstream's of the same names are renamed. The names are configurable. */
const ANSWER_FIELDS = ['receipt', 'refused', 'projected', 'ledger-head', 'next-cursor'] as const

// Heads are gone through several times a request, so these are plain loops over the flat list.

/** The first value of a field, or undefined; `name` in any case. */
export function getHeader(headers: RawHeaders, name: string): string | undefined {
  const wanted = name.toLowerCase()
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (isNamed(headers[at] as string, wanted)) return headers[at + 1]
  }
  return undefined
}

/** All values of a field, in order, one for each line. */
export function getAllHeaders(headers: RawHeaders, name: string): readonly string[] {
  const wanted = name.toLowerCase()
  const values: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (isNamed(headers[at] as string, wanted)) values.push(headers[at + 1] as string)
  }
  return values
}

/** Gives the field this one value, in the place and spelling of its first line, or at the end where it is new. */
export function setHeader(headers: RawHeaders, name: string, value: string): RawHeaders {
  let done = false
  const changed = replaceHeader(headers, name, () => {
    if (done) return undefined
    done = true
    return value
  })
  return done ? changed : [...changed, name, value]
}

/** The fields without those of these names. */
export function removeHeaders(headers: RawHeaders, names: readonly string[]): RawHeaders {
  if (names.length === 0) return headers
  const gone = names.map((name) => name.toLowerCase())
  return headersWhere(headers, (name) => !gone.includes(name))
}

/** Puts every value of a field through `change`; undefined removes the line. */
export function replaceHeader(
  headers: RawHeaders,
  name: string,
  change: (value: string) => string | undefined,
): RawHeaders {
  const wanted = name.toLowerCase()
  const out: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const field = headers[at] as string
    const value = headers[at + 1] as string
    const next = isNamed(field, wanted) ? change(value) : value
    if (next !== undefined) out.push(field, next)
  }
  return out
}

/**
 * The fields of a request as they go on to the upstream: without those of the hop, those that `Connection` names
 * and `own`, the gateway's (such as `want`). Call it before keys are set, so that no client can name a key's field.
 */
export function forwardRequestHeaders(
  headers: RawHeaders,
  own: readonly string[] = [],
): RawHeaders {
  return removeHeaders(removeHopByHop(headers), own)
}

/**
 * The fields of an answer as they go on to the client: without those of the hop, without `Alt-Svc`, which would lead
 * the client past the gateway, and with the upstream's own fields of our names (in lower case) as `upstream-<name>`.
 */
export function forwardAnswerHeaders(
  headers: RawHeaders,
  own: readonly string[] = ANSWER_FIELDS,
): RawHeaders {
  const left = removeHopByHop(headers)
  const out: string[] = []
  for (let at = 0; at + 1 < left.length; at += 2) {
    const field = left[at] as string
    if (isNamed(field, 'alt-svc')) continue
    const isOurs = own.some((name) => isNamed(field, name))
    out.push(isOurs ? `upstream-${field}` : field, left[at + 1] as string)
  }
  return out
}

/**
 * Trailer fields of a request as they go on. A trailer is read after the decision, so that it must not say anew what
 * the head said or what routes, frames or authorizes the request (RFC 9110, 6.5.1).
 */
export function forwardTrailers(trailers: RawHeaders, head: RawHeaders): RawHeaders {
  if (trailers.length === 0) return trailers
  const isSaid = (name: string) => getHeader(head, name) !== undefined
  return headersWhere(
    removeHopByHop(trailers),
    (name) => !NEVER_IN_TRAILERS.test(name) && !isSaid(name),
  )
}

const NEVER_IN_TRAILERS =
  /^(?:host|content-(?:length|type|encoding|range|location)|authorization|x-api-key|api-key|cookie|expect|if-.*|range|cache-control|max-forwards|te|trailer)$/

function removeHopByHop(headers: RawHeaders): RawHeaders {
  const named = tokensOf(headers, 'connection').filter((token) => !KEPT.has(token))
  const trailers = tokensOf(headers, 'te').includes('trailers')
  const left: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const field = headers[at] as string
    if (!isHopByHop(field) && (named.length === 0 || !named.includes(field.toLowerCase())))
      left.push(field, headers[at + 1] as string)
  }
  if (trailers) left.push('TE', 'trailers')
  return left
}

const HOP_BY_HOP_LENGTHS = new Set([...HOP_BY_HOP].map(({ length }) => length))

/** By its length first: most names have another one, and need no second look. */
function isHopByHop(field: string): boolean {
  return HOP_BY_HOP_LENGTHS.has(field.length) && HOP_BY_HOP.has(field.toLowerCase())
}

/** The comma-separated tokens of all lines of a field, in lower case. */
function tokensOf(headers: RawHeaders, name: string): readonly string[] {
  const values = getAllHeaders(headers, name)
  if (values.length === 0) return values
  return values
    .flatMap((value) => value.split(','))
    .map((token) => token.trim().toLowerCase())
    .filter((token) => token !== '')
}

/** The fields whose name, in lower case, is wanted. */
function headersWhere(headers: RawHeaders, isWanted: (name: string) => boolean): RawHeaders {
  const out: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const field = headers[at] as string
    if (isWanted(field.toLowerCase())) out.push(field, headers[at + 1] as string)
  }
  return out
}

function isNamed(field: string, wanted: string): boolean {
  return field.length === wanted.length && field.toLowerCase() === wanted
}
