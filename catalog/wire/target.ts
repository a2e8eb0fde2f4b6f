import { canonicalAuthority } from './authority.ts'
import { canonicalPath } from './path.ts'
import { refused, type Refused } from './refusal.ts'

/** Scheme, host and port of a call, canonical. */
export interface Origin {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
}

/** A request target in absolute form, taken apart. */
export interface AbsoluteTarget extends Origin {
  readonly ok: true
  /** Path and query; `/` where the target has no path. */
  readonly path: string
}

const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)$/is

/**
 * Reads `http://host:port/path?query` (RFC 9112 section 3.2.2). By hand, since a URL parser repairs
 * what it reads, and what was judged would no longer be what was sent.
 */
export function absoluteTarget(text: string): AbsoluteTarget | Refused {
  const parts = ABSOLUTE.exec(text)
  if (parts === null) return refused('the target is not an http or https URL')
  const scheme = parts[1]!.toLowerCase() === 'https' ? 'https' : 'http'
  const authority = canonicalAuthority(parts[2]!, defaultPort(scheme))
  if (!authority.ok) return authority
  const rest = parts[3]!
  const path = canonicalPath(rest.startsWith('/') ? rest : `/${rest}`)
  if (!path.ok) return path
  return { ok: true, scheme, host: authority.host, port: authority.port, path: path.path }
}

/** The port that a scheme has where none is written. */
export function defaultPort(scheme: 'http' | 'https'): number {
  return scheme === 'https' ? 443 : 80
}
