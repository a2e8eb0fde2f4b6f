import { absoluteTarget, canonicalPath } from '../../catalog/index.ts'
import type { Origin } from '../../adapters/upstream/port.ts'
import type { KnockFault } from '../knock.ts'
import type { Limits } from '../limits.ts'
import type { Addressed } from './door.ts'
import { valuesOf } from './fields.ts'
import { authorityFault, headFault, malformed, mismatch, withHttpScheme } from './framing.ts'
import type { Head } from './framing.ts'

/** An intercepted tunnel, as each request in it needs it. */
export interface Tunnel {
  readonly shape: 'tunnel-tls' | 'tunnel-clear'
  /** From the CONNECT alone: nothing inside the tunnel can move it. */
  readonly origin: Origin
  readonly credential: string | undefined
  /** The TLS server name that the client sent; undefined without one. */
  readonly serverName: string | undefined
}

/** A head inside a tunnel; HTTP/2 has its own field for the authority. */
export interface InnerHead extends Head {
  readonly authority?: string | undefined
}

/** Where a request inside a tunnel goes: to the tunnel's origin, or nowhere if it names another one. */
export function addressInner(head: InnerHead, tunnel: Tunnel, limits: Limits): Addressed {
  const target = innerTarget(head.target, tunnel.origin)
  const fault =
    headFault(head, limits) ?? serverNameFault(tunnel) ?? hostFaults(head, tunnel) ?? target.fault
  return {
    door: 'proxy',
    shape: tunnel.shape,
    origin: tunnel.origin,
    path: target.path,
    credential: tunnel.credential,
    ...(fault ? { fault } : {}),
  }
}

/** A client that was given a tunnel to one name and asks for the certificate of another wants two things at once. */
function serverNameFault({ serverName, origin }: Tunnel): KnockFault | undefined {
  if (serverName === undefined || serverName.toLowerCase() === origin.host) return undefined
  return mismatch(`TLS server name ${serverName}`, origin)
}

function hostFaults({ headers, authority }: InnerHead, { origin }: Tunnel): KnockFault | undefined {
  const named = [authority, ...valuesOf(headers, 'host')].filter((text) => text !== undefined)
  for (const text of named) {
    const fault = authorityFault(text, origin)
    if (fault) return fault
  }
  return undefined
}

function innerTarget(target: string, origin: Origin): { path: string; fault?: KnockFault } {
  const read = target.startsWith('/')
    ? canonicalPath(target)
    : absoluteTarget(withHttpScheme(target))
  if (!read.ok) {
    return { path: '/', fault: malformed(`target: ${read.reason}`, 'send a path as the target') }
  }
  if ('host' in read && !sameOrigin(read, origin)) {
    return {
      path: read.path,
      fault: mismatch(`${read.scheme}://${read.host}:${read.port}`, origin),
    }
  }
  return { path: read.path }
}

function sameOrigin(a: Origin, b: Origin): boolean {
  return a.scheme === b.scheme && a.host === b.host && a.port === b.port
}
