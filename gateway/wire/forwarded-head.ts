import type { Origin, RawHeaders } from '../../adapters/upstream/port.ts'
import { defaultPort } from '../../catalog/index.ts'
import type { Knock } from '../knock.ts'
import { mapBasic } from './basic.ts'
import { forwardRequestHeaders, getHeader, setHeader } from './headers.ts'

/**
 * The head as it goes upstream, but for the upstream's key: what was for this hop or for the gateway alone is gone.
 * Arguments are read from it and from no other, so that what is judged is what is sent.
 */
export function forwardedHead(knock: Knock, own: readonly string[]): RawHeaders {
  const slot = knock.mount === undefined ? [] : [knock.mount.slot]
  const passed = forwardRequestHeaders(knock.headers, [...own, ...slot])
  const headers = withoutCredential(passed, knock.credential)
  return knock.mount === undefined && isSpelt(getHeader(headers, 'host'), knock.origin)
    ? headers
    : setHeader(headers, 'Host', authorityOf(knock.origin))
}

/**
 * Whether a Host is the judged one letter by letter, with its port or without: other case or a dot at the end could
 * name another virtual host to the upstream, and a signature of the client's covers what stays.
 */
function isSpelt(host: string | undefined, { host: name, port }: Origin): boolean {
  const text = name.includes(':') ? `[${name}]` : name
  return host === text || host === `${text}:${port}`
}

/** SDKs may send the token in more places than one; none of them is the upstream's business. */
function withoutCredential(headers: RawHeaders, credential: string | undefined): RawHeaders {
  if (credential === undefined) return headers
  const isClean = (value: string) => value.length < credential.length || !holds(value, credential)
  const out: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const value = headers[at + 1] as string
    if (isClean(value)) out.push(headers[at] as string, value)
  }
  return out.length === headers.length ? headers : out
}

/** Whether a field value holds a text, as it is or inside Basic credentials. */
export function holds(value: string, text: string): boolean {
  let found = value.includes(text)
  mapBasic(value, (credentials) => {
    found ||= credentials.includes(text)
    return credentials
  })
  return found
}

/** An origin's authority as Host fields and URLs spell it: without the scheme's own port, which signatures cover. */
export function authorityOf({ scheme, host, port }: Origin): string {
  const name = host.includes(':') ? `[${host}]` : host
  return port === defaultPort(scheme) ? name : `${name}:${port}`
}
