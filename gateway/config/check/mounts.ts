import { absoluteTarget, canonicalHost, canonicalPath } from '../../../catalog/index.ts'
import { hideGot, showGot } from '../got.ts'
import type { RawMount } from '../raw.ts'
import type { Report } from '../report.ts'
import type { MountConfig } from '../types.ts'

// Holder doors and health live at the proxy's address too.
const RESERVED = /^\/(?:g|w|a|api|healthz|readyz|ledger)(?:\/|$)/

/** All mounts; two may not claim the same request. */
export function buildMounts(
  raw: readonly RawMount[] | undefined,
  report: Report,
): readonly MountConfig[] {
  const claims: string[] = []
  return report.items('mounts', raw, (mount, at) => {
    const built = buildMount(mount, at, report)
    if (built === undefined) return undefined
    const claim = built.prefix ?? built.host ?? ''
    const rival = claims.find((other) => overlap(other, claim))
    if (rival !== undefined) {
      const got = `${showGot(claim)}, which overlaps with ${showGot(rival)}`
      report.add(at, got, 'choose prefixes of which none lies inside another, and each host once')
    }
    claims.push(claim)
    return built
  })
}

function buildMount(raw: RawMount, at: string, report: Report): MountConfig | undefined {
  if ((raw.prefix === undefined) === (raw.host === undefined)) {
    const got = raw.prefix === undefined ? 'none of them' : 'both of them'
    report.add(at, got, 'set exactly one of: prefix, host')
  }
  const prefix = report.field(`${at}.prefix`, raw.prefix, (text, where) =>
    buildPrefix(text, where, report),
  )
  const host = report.field(`${at}.host`, raw.host, (text, where) => buildHost(text, where, report))
  const target = report.field(`${at}.to`, raw.to, (text, where) => buildTarget(text, where, report))
  if (target === undefined || (prefix === undefined) === (host === undefined)) return undefined
  return { prefix, host, ...target, slot: raw.slot }
}

function buildPrefix(text: string, at: string, report: Report): string | undefined {
  const path = canonicalPath(text)
  if (!path.ok) {
    report.add(at, showGot(text), `${path.reason}; write it like \`/openai\``)
    return undefined
  }
  if (/[?%]/.test(text)) {
    report.add(at, showGot(text), 'write a plain path, without `?` and `%`')
    return undefined
  }
  if (!RESERVED.test(text)) return text
  report.add(at, showGot(text), 'choose another prefix: the gateway serves this one itself')
  return undefined
}

function buildHost(text: string, at: string, report: Report): string | undefined {
  const host = canonicalHost(text)
  if (host.ok) return host.host
  report.add(at, showGot(text), `${host.reason}; write a host name without a port`)
  return undefined
}

function buildTarget(
  text: string,
  at: string,
  report: Report,
): Pick<MountConfig, 'to' | 'basePath'> | undefined {
  const target = absoluteTarget(text)
  if (!target.ok) {
    report.add(at, hideGot(text), `${target.reason}; write it like \`https://api.openai.com\``)
    return undefined
  }
  const path = canonicalPath(target.path)
  if (!path.ok || target.path.includes('?')) {
    report.add(
      at,
      showGot(text),
      'write a plain base path, without a query and without dot segments',
    )
    return undefined
  }
  const { scheme, host, port } = target
  return { to: { scheme, host, port }, basePath: target.path.replace(/\/$/, '') }
}

/** Equal, or one a prefix of the other that ends at a segment. */
function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)
}
