import { absoluteTarget, canonicalPath } from '../../catalog/index.ts'
import type { KnockFault } from '../knock.ts'
import { doorAddress, doorPath, type DoorAddress } from '../run/address.ts'
import { isOfStore, STORE_ORIGIN, STORE_PATH } from '../store/address.ts'
import { mountCredential, protocolCredential, proxyCredential } from './credentials.ts'
import { NOWHERE } from './door.ts'
import type { Addressed, DoorPorts } from './door.ts'
import { valuesOf } from './fields.ts'
import { authorityFault, headFault, hostTextFault, malformed, withHttpScheme } from './framing.ts'
import type { Head } from './framing.ts'
import { mountOfHost, mountOfPath } from './mounts.ts'
import type { MountMatch } from './mounts.ts'

const HOLDER_DOORS = /^\/(?:[gw]\/|ledger\/exchanges\/|(?:healthz|readyz)(?:\?|$))/

/** Where a request on the plain port goes: through the proxy, through a mount, to the store, or to the holder doors. */
export function addressForward(
  head: Head,
  ports: Pick<DoorPorts, 'mounts' | 'limits'>,
): Addressed | 'holder' {
  const unread = headFault(head, ports.limits)
  if (!head.target.startsWith('/')) return absoluteForm(head, unread)
  const fault = unread ?? hostTextFault(head.headers)
  const [host = ''] = valuesOf(head.headers, 'host')
  // A mount's host serves its upstream's whole name space; elsewhere the gateway's own doors come first.
  const byHost = mountOfHost(ports.mounts(), host, head.target)
  if (byHost) return mounted(byHost, head, fault)
  const ofHolders = doorAddress(head.target)
  if (ofHolders !== undefined) return ofDoor(ofHolders, head, fault)
  if (!fault && HOLDER_DOORS.test(head.target)) return 'holder'
  if (isOfStore(head.target)) return ofStore(head, fault)
  const byPath = mountOfPath(ports.mounts(), head.target)
  return byPath ? mounted(byPath, head, fault) : nowhere(head, fault)
}

/** The same for an upgrade: the holder doors speak HTTP alone. */
export function addressForwardUpgrade(
  head: Head,
  ports: Pick<DoorPorts, 'mounts' | 'limits'>,
): Addressed {
  const addressed = addressForward(head, ports)
  return addressed === 'holder' ? nowhere(head, undefined) : addressed
}

function absoluteForm(head: Head, fault: KnockFault | undefined): Addressed {
  const base = {
    door: 'proxy',
    shape: 'absolute',
    credential: proxyCredential(head.headers),
  } as const
  const target = absoluteTarget(withHttpScheme(head.target))
  if (!target.ok) {
    const unread = malformed(`target: ${target.reason}`, 'send an absolute http or https URL')
    return { ...base, origin: NOWHERE, path: '/', fault: fault ?? unread }
  }
  const origin = { scheme: target.scheme, host: target.host, port: target.port }
  const [host] = valuesOf(head.headers, 'host')
  const found = fault ?? (host === undefined ? undefined : authorityFault(host, origin))
  return { ...base, origin, path: target.path, ...(found ? { fault: found } : {}) }
}

function mounted(match: MountMatch, head: Head, fault: KnockFault | undefined): Addressed {
  const { mount, name } = match
  const path = canonicalPath(match.path)
  const found =
    fault ?? (path.ok ? undefined : malformed(`path: ${path.reason}`, 'send a plain path'))
  const { credential, slot } = mountCredential(head.headers, mount.slot)
  return {
    door: 'mount',
    shape: 'mount',
    origin: mount.to,
    path: match.path,
    credential,
    mount: { name, slot },
    ...(found ? { fault: found } : {}),
  }
}

/** The store is served as if it were mounted: what goes on to it has no token any more. */
function ofStore(head: Head, fault: KnockFault | undefined): Addressed {
  const path = canonicalPath(head.target)
  const found =
    fault ?? (path.ok ? undefined : malformed(`path: ${path.reason}`, 'send a plain path'))
  const { credential, slot } = mountCredential(head.headers, 'authorization')
  return {
    door: 'rest',
    shape: 'store',
    origin: STORE_ORIGIN,
    path: head.target,
    credential,
    mount: { name: STORE_PATH, slot },
    ...(found ? { fault: found } : {}),
  }
}

/** A holder's door: what is asked of it is read once the token is known. */
function ofDoor(
  { way, token, path }: DoorAddress,
  head: Head,
  fault: KnockFault | undefined,
): Addressed {
  return {
    door: way,
    shape: 'run',
    origin: NOWHERE,
    path,
    credential: token ?? doorCredential(head.headers, path),
    inPath: token !== undefined,
    ...(fault ? { fault } : {}),
  }
}

function doorCredential(headers: Head['headers'], path: string): string | undefined {
  const { credential } = mountCredential(headers, 'authorization')
  if (credential !== undefined || doorPath(path).name !== 'ws') return credential
  return protocolCredential(headers)
}

function nowhere({ headers }: Head, fault: KnockFault | undefined): Addressed {
  const unserved = malformed(
    'a path that no mount serves',
    'use the gateway as a proxy, or a path under one of its mounts',
  )
  return {
    door: 'mount',
    shape: 'mount',
    origin: NOWHERE,
    path: '/',
    credential: proxyCredential(headers),
    fault: fault ?? unserved,
  }
}
