import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { canonicalAuthority } from '../../catalog/index.ts'
import type { ListenAddress } from '../config/index.ts'
import { refusal } from '../refusal.ts'

/**
 * Refuses a Host that is not a literal of this listener. A page can point a name of its own at 127.0.0.1
 * (DNS rebinding) and would then share an origin with the owner doors; it cannot do so with a literal.
 */
export function hostGuard(listen: ListenAddress) {
  return async (request: FastifyRequest): Promise<void> => {
    // No browser speaks to a unix socket, and clients put any name there.
    if (listen.kind === 'unix') return
    const authority = canonicalAuthority(request.headers.host ?? '', 80)
    if (authority.ok && isOurs(authority.host, listen.host)) return
    const got = authority.ok ? `the Host \`${authority.host}\`` : 'no usable Host'
    const repair = 'call the listener by its address or as `localhost`'
    throw refusal('authority_mismatch', 'host', { got, repair })
  }
}

function isOurs(host: string, listenHost: string | undefined): boolean {
  if (host === 'localhost' || isLoopback(host) || host === listenHost) return true
  const everywhere = listenHost === undefined || listenHost === '0.0.0.0' || listenHost === '::'
  return everywhere && isIP(host) !== 0
}

/** Whether an address is this machine's own: 127.0.0.0/8 or ::1, also as IPv4 in IPv6. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
