import { isIP } from 'node:net'
import { canonicalAuthority, canonicalHost } from '../../../catalog/index.ts'
import { showGot } from '../got.ts'
import type { Report } from '../report.ts'
import type { HostPattern } from '../types.ts'

/** `api.test`, `*.api.test`, `api.test:8443`. */
export function buildHostPattern(
  text: string,
  at: string,
  report: Report,
): HostPattern | undefined {
  const suffix = text.startsWith('*.')
  // Port 0 stands for "none given": no written port can be 0.
  const authority = canonicalAuthority(suffix ? text.slice(2) : text, 0)
  if (!authority.ok) {
    report.add(
      at,
      showGot(text),
      `${authority.reason}; write it like \`api.test\` or \`*.api.test:8443\``,
    )
    return undefined
  }
  if (suffix && authority.kind !== 'name') {
    report.add(at, showGot(text), 'addresses have no names below them: write the address itself')
    return undefined
  }
  const port = authority.port === 0 ? undefined : authority.port
  return { host: suffix ? `.${authority.host}` : authority.host, suffix, port }
}

/** `10.0.0.5:8443`, a port always given. */
export function buildAddress(
  text: string,
  at: string,
  report: Report,
): { readonly host: string; readonly port: number } | undefined {
  const authority = canonicalAuthority(text, undefined)
  if (authority.ok) return { host: authority.host, port: authority.port }
  report.add(at, showGot(text), `${authority.reason}; write it like \`10.0.0.5:8443\``)
  return undefined
}

/** `10.0.0.0/8`. */
export function buildRange(text: string, at: string, report: Report): string | undefined {
  const [address = '', bits = '', ...rest] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6]
  if (rest.length === 0 && /^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= longest) return text
  report.add(
    at,
    showGot(text),
    'write a range like `10.0.0.0/8` or `fd00::/8`; one address is `10.0.0.5/32`',
  )
  return undefined
}

/** A name, an address, or `.suffix`. */
export function buildBypass(text: string, at: string, report: Report): string | undefined {
  const dotted = text.startsWith('.')
  const host = canonicalHost(dotted ? text.slice(1) : text)
  if (host.ok) return `${dotted ? '.' : ''}${host.host}`
  report.add(at, showGot(text), `${host.reason}; write it like \`build.internal\` or \`.internal\``)
  return undefined
}

/** The ports that a pattern stands for. */
export function portsOf(pattern: HostPattern): readonly number[] {
  return pattern.port === undefined ? [443, 80] : [pattern.port]
}

/** Whether a host, or the suffix `*.host` or `.host`, lies within the pattern on some port. */
export function covers(pattern: HostPattern, host: string, port: number | undefined): boolean {
  if (port !== undefined && !portsOf(pattern).includes(port)) return false
  const asked = host.startsWith('*.') ? host.slice(1) : host
  return pattern.suffix ? asked.endsWith(pattern.host) : asked === pattern.host
}
