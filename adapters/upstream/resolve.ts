import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { judgeAddress } from './address.ts'
import { Fault, codeOf } from './fault.ts'
import { contains, parseCidr, parseIp } from './ip.ts'
import type { Lookup, Names } from './names.ts'
import type { Origin, Route } from './port.ts'
import { authorityOf } from './target.ts'

/** As the system resolves names, hosts file included. */
export const lookupBySystem: Lookup = (host) => systemLookup(host, { all: true })

export interface Guard {
  readonly names: Names
  /** The gateway's own listeners, `ip:port`; they are never dialled, whatever a route allows. */
  readonly ownAddresses: () => readonly string[]
}

/**
 * Resolves the host once and gives the addresses that may be dialled; the caller dials these and looks nothing up
 * again, so that a name cannot change its address between check and use (DNS rebinding).
 */
export async function resolveChecked(
  origin: Origin,
  route: Route,
  guard: Guard,
): Promise<readonly LookupAddress[]> {
  const found = await addressesOf(origin, guard.names.lookup)
  const ranges = (route.allowPrivate ?? []).map(parseCidr)
  const judged = found.map((entry) => ({
    entry,
    verdict: isOwn(entry.address, origin.port, guard.ownAddresses())
      ? { allow: false, class: 'gateway' }
      : judgeAddress(entry.address, ranges),
  }))
  const allowed = judged.filter(({ verdict }) => verdict.allow).map(({ entry }) => entry)
  if (allowed.length > 0) return allowed
  guard.names.forget(origin.host)
  const got = judged.map(({ entry, verdict }) => `${entry.address} ${verdict.class}`).join(', ')
  throw new Fault(
    'address_refused',
    `${origin.host} resolves to \`${got}\`; name the range in the host's allowed private addresses if it is meant`,
    { sent: 'no', got },
  )
}

/** Refuses an address literal that may not be dialled, where another machine is going to resolve the names. */
export async function checkLiteral(origin: Origin, route: Route, guard: Guard): Promise<void> {
  if (isIP(origin.host) !== 0) await resolveChecked(origin, route, guard)
}

async function addressesOf(origin: Origin, lookup: Lookup): Promise<readonly LookupAddress[]> {
  const family = isIP(origin.host)
  if (family !== 0) return [{ address: origin.host, family }]
  let found: readonly LookupAddress[] = []
  try {
    found = await lookup(origin.host)
  } catch (cause) {
    throw unresolved(origin, codeOf(cause) || 'failed', cause)
  }
  if (found.length === 0) throw unresolved(origin, 'no addresses')
  return found
}

function unresolved(origin: Origin, why: string, cause?: unknown): Fault {
  return new Fault(
    'upstream_failed',
    `the name of ${authorityOf(origin)} does not resolve: \`${why}\`; check the name and the resolver`,
    { sent: 'no', cause, transient: why === 'EAI_AGAIN' },
  )
}

/** A listener on all addresses is reached by every address of this machine. */
function isOwn(ip: string, port: number, own: readonly string[]): boolean {
  return own.some((listener) => {
    const at = listener.lastIndexOf(':')
    if (Number(listener.slice(at + 1)) !== port) return false
    const host = listener.slice(0, at).replace(/^\[|\]$/g, '')
    return sameIp(host, ip) || (isEverywhere(host) && isLocal(ip))
  })
}

const isEverywhere = (host: string) => host === '0.0.0.0' || host === '::' || host === ''

const LOOPBACK = parseCidr('127.0.0.0/8')

function isLocal(ip: string): boolean {
  const bytes = plainBytes(ip)
  if (bytes === undefined) return false
  const local = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return (
    contains(LOOPBACK, bytes) ||
    bytes.every((byte) => byte === 0) ||
    local.some((face) => sameIp(face.address, ip))
  )
}

function sameIp(left: string, right: string): boolean {
  const [a, b] = [plainBytes(left), plainBytes(right)]
  return a !== undefined && b !== undefined && a.join() === b.join()
}

const MAPPED = parseCidr('::ffff:0:0/96')

/** The bytes of an address, IPv4 for its mapped form. */
function plainBytes(ip: string): readonly number[] | undefined {
  const bytes = parseIp(ip)
  return bytes && contains(MAPPED, bytes) ? bytes.slice(12) : bytes
}
