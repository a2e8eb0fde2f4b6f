import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { getAllHeaders, removeHeaders, replaceHeader } from './headers.ts'

/** Under which names a call may bring a session. */
export interface SessionNames {
  readonly header: string
  readonly cookie: string
}

/** Every session that a call brings, in its header and in its cookie; the same one twice counts once. */
export function sessionsIn(headers: RawHeaders, names: SessionNames): readonly string[] {
  const inHeader = getAllHeaders(headers, names.header)
  const cookies = getAllHeaders(headers, 'cookie')
  // Most calls bring neither.
  if (inHeader.length === 0 && cookies.length === 0) return inHeader
  const inCookies = cookies
    .flatMap(pairsOf)
    .filter((pair) => nameOf(pair) === names.cookie)
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
  // An empty one is how a client drops its session.
  return [...new Set([...inHeader, ...inCookies])].filter((session) => session !== '')
}

/** The fields without any session: the upstream has no business with it. Other cookies stay as they were sent. */
export function withoutSessions(headers: RawHeaders, { header, cookie }: SessionNames): RawHeaders {
  const left = removeHeaders(headers, [header])
  return replaceHeader(left, 'cookie', (value) => {
    const pairs = pairsOf(value)
    const others = pairs.filter((pair) => nameOf(pair) !== cookie)
    if (others.length === pairs.length) return value
    return others.length === 0 ? undefined : others.map((pair) => pair.trim()).join('; ')
  })
}

/** RFC 6265, 4.2.1. */
function pairsOf(cookies: string): readonly string[] {
  return cookies.split(';')
}

function nameOf(pair: string): string {
  const equals = pair.indexOf('=')
  return (equals < 0 ? pair : pair.slice(0, equals)).trim()
}
