import { requestTarget } from '../../catalog/index.ts'
import type { Permit } from '../../policy/index.ts'
import type { Origin, UpstreamRequest } from './port.ts'
import { splicePath } from './splice.ts'

/**
 * Throws a TypeError unless `permit` was given for this very method, origin and path:
 * what was judged is what is sent, and keys in the path fill what was judged as one value. A mismatch is a defect of
 * the caller, so it is no fault of the upstream.
 */
export function assertPermitted(
  permit: Permit,
  request: Pick<UpstreamRequest, 'method' | 'origin' | 'path' | 'splices'>,
): void {
  const target = requestTarget(request.method, request.origin, request.path)
  if (permit.target === target) return void splicePath(request)
  throw new TypeError(
    `permit.target is \`${permit.target}\` but the request is \`${target}\`; decide this request anew`,
  )
}

/** `host:port` as an authority is written, IPv6 in brackets. */
export function authorityOf(origin: Pick<Origin, 'host' | 'port'>): string {
  const host = origin.host.includes(':') ? `[${origin.host}]` : origin.host
  return `${host}:${origin.port}`
}
