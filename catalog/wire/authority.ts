import { canonicalHost, type CanonicalHost } from './host.ts'
import { refused, type Refused } from './refusal.ts'

/** A host and a port in their one spelling. */
export interface CanonicalAuthority extends CanonicalHost {
  readonly port: number
}

const PORT = /^[1-9][0-9]{0,4}$/
const BRACKETED = /^\[([^[\]]*)\](?::(.*))?$/s
const PLAIN = /^([^:]*)(?::(.*))?$/s

/**
 * Reads `host:port` (RFC 9110 section 7.2), IPv6 in brackets. Without `defaultPort` the port must be
 * written, as CONNECT demands.
 */
export function canonicalAuthority(
  text: string,
  defaultPort: number | undefined,
): CanonicalAuthority | Refused {
  if (text.includes('@')) return refused('the authority holds user information')
  if (/[/\\?#]/.test(text)) return refused('the authority holds more than host and port')
  const bracketed = text.startsWith('[')
  const parts = (bracketed ? BRACKETED : PLAIN).exec(text)
  if (parts === null) {
    return refused(
      bracketed ? 'the brackets do not hold a host' : 'write an IPv6 address in brackets',
    )
  }
  const host = canonicalHost(parts[1]!)
  if (!host.ok) return host
  if (bracketed !== (host.kind === 'ipv6'))
    return refused('only an IPv6 address stands in brackets')
  return withPort(host, parts[2], defaultPort)
}

function withPort(
  host: CanonicalHost,
  text: string | undefined,
  defaultPort: number | undefined,
): CanonicalAuthority | Refused {
  if (text === undefined) {
    return defaultPort === undefined
      ? refused('the authority has no port: write host:port')
      : { ...host, port: defaultPort }
  }
  if (!PORT.test(text) || Number(text) > 65_535) {
    return refused('the port is not a decimal number from 1 to 65535')
  }
  return { ...host, port: Number(text) }
}
