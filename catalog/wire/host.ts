import { parseIpv4 } from './ipv4.ts'
import { canonicalIpv6 } from './ipv6.ts'
import { refused, type Refused } from './refusal.ts'

/** A host in the one spelling that policy, name look-up, TLS, the Host field and the receipt share. */
export interface CanonicalHost {
  readonly ok: true
  /** Lower-case ASCII name, dotted IPv4, or IPv6 as RFC 5952 writes it, without brackets. */
  readonly host: string
  readonly kind: 'name' | 'ipv4' | 'ipv6'
}

const LABEL = /^[a-z0-9_-]+$/
// What resolvers read as a number although it is no dotted quad: `127.1`, `0x7f000001`, `2130706433`.
const NUMERIC_LABEL = /^(?:[0-9]+|0x[0-9a-f]*)$/

/**
 * Makes a host canonical: letters folded, one trailing dot removed. Whatever two programs could read
 * differently is refused: other alphabets, short or hexadecimal or octal IPv4, zone ids.
 */
export function canonicalHost(text: string): CanonicalHost | Refused {
  if (text === '') return refused('the host is empty')
  if (!isAscii(text)) return refused('the host is not ASCII: write it as xn--')
  if (text.includes(':')) return ipv6Host(text)
  const folded = text.toLowerCase()
  const host = folded.endsWith('.') ? folded.slice(0, -1) : folded
  if (parseIpv4(host) !== undefined) return { ok: true, host, kind: 'ipv4' }
  const fault = nameFault(host)
  return fault === undefined ? { ok: true, host, kind: 'name' } : refused(fault)
}

function ipv6Host(text: string): CanonicalHost | Refused {
  if (text.includes('%')) return refused('the IPv6 address has a zone id')
  const host = canonicalIpv6(text)
  if (host === undefined) return refused('the host is not an IPv6 address')
  return { ok: true, host, kind: 'ipv6' }
}

function nameFault(host: string): string | undefined {
  const labels = host.split('.')
  if (labels.includes('')) return 'the host has an empty label'
  if (host.length > 253) return 'the host is longer than 253 characters'
  if (labels.some((label) => label.length > 63))
    return 'the host has a label longer than 63 characters'
  if (!labels.every((label) => LABEL.test(label))) {
    return 'the host has a character other than a-z, 0-9, hyphen, underscore and dot'
  }
  if (NUMERIC_LABEL.test(labels.at(-1)!)) {
    return 'the host is a number but no dotted quad: write four decimal numbers'
  }
  return undefined
}

/** Whether a text has ASCII characters alone. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}
