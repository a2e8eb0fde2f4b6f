import type { RawHeaders } from '../../adapters/upstream/port.ts'

/**
 * Fields that concern one connection only (RFC 9110 7.6.1 and its older kin); they are never forwarded.
 * `TE` is treated apart, `Trailer` travels with the trailers it names.
 */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-authentication-info',
  'te',
  'transfer-encoding',
  'upgrade',
]

/**
 * Fields that a `Connection` line cannot take away: without them the next reader would see another request.
 */
const KEPT = new Set(['host', 'content-length'])

/** Our own fields on answers; an upstream's of the same names are renamed. The names are configurable. */
const ANSWER_FIELDS = [
  'receipt',
  'refused',
  'projected',
  'ledger-head',
  'next-cursor',
] as const

/** The first value of a field, or undefined; `name` in any case. */
export function getHeader(headers: RawHeaders, name: string): string | undefined {
  return getAllHeaders(headers, name)[0]
}

/** All values of a field, in order, one for each line. */
export function getAllHeaders(headers: RawHeaders, name: string): readonly string[] {
  const wanted = name.toLowerCase()
  const values: string[] = []
  for (const [field, value] of linesOf(headers)) {
    if (field.toLowerCase() === wanted) values.push(value)
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
  const gone = new Set(names.map((name) => name.toLowerCase()))
  return [...linesOf(headers)].filter(([field]) => !gone.has(field.toLowerCase())).flat()
}

/** Puts every value of a field through `change`; undefined removes the line. */
export function replaceHeader(
  headers: RawHeaders,
  name: string,
  change: (value: string) => string | undefined,
): RawHeaders {
  const wanted = name.toLowerCase()
  const out: string[] = []
  for (const [field, value] of linesOf(headers)) {
    const next = field.toLowerCase() === wanted ? change(value) : value
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
 * the client past the gateway, and with the upstream's own fields of our names as `upstream-<name>`.
 */
export function forwardAnswerHeaders(
  headers: RawHeaders,
  own: readonly string[] = ANSWER_FIELDS,
): RawHeaders {
  const ours = new Set(own.map((name) => name.toLowerCase()))
  const out: string[] = []
  for (const [field, value] of linesOf(removeHopByHop(headers))) {
    const name = field.toLowerCase()
    if (name !== 'alt-svc') out.push(ours.has(name) ? `upstream-${field}` : field, value)
  }
  return out
}

function removeHopByHop(headers: RawHeaders): RawHeaders {
  const named = tokensOf(headers, 'connection').filter((token) => !KEPT.has(token))
  const trailers = tokensOf(headers, 'te').includes('trailers')
  const left = removeHeaders(headers, [...HOP_BY_HOP, ...named])
  return trailers ? [...left, 'TE', 'trailers'] : left
}

/** The comma-separated tokens of all lines of a field, in lower case. */
function tokensOf(headers: RawHeaders, name: string): readonly string[] {
  return getAllHeaders(headers, name)
    .flatMap((value) => value.split(','))
    .map((token) => token.trim().toLowerCase())
    .filter((token) => token !== '')
}

function* linesOf(headers: RawHeaders): Generator<readonly [field: string, value: string]> {
  for (let i = 0; i + 1 < headers.length; i += 2) yield [headers[i] ?? '', headers[i + 1] ?? '']
}
