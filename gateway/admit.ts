import { resolveUpstream } from './config/index.ts'
import type { Admit } from './doors/door.ts'
import type { Exchange, Knock } from './knock.ts'
import type { Ports } from './ports.ts'

/**
 * Judges the credential of a CONNECT. Where it does not verify the exchange refuses and records it; what the tunnel
 * is used for is judged inside, request by request, so that the client gets to read a refusal.
 */
export function createAdmit(exchange: Exchange, ports: Ports): Admit {
  return async (credential, origin, peer) => {
    if (credential !== undefined && verifies(credential, ports)) {
      const snapshot = ports.snapshot()
      return { ok: true, intercept: resolveUpstream(snapshot, origin)?.intercept ?? true }
    }
    return { ok: false, reply: await exchange(connectKnock({ credential, origin, peer })) }
  }
}

function verifies(credential: string, { verifier }: Ports): boolean {
  try {
    verifier.verify(credential)
    return true
  } catch {
    return false
  }
}

function connectKnock(asked: Pick<Knock, 'credential' | 'origin' | 'peer'>): Knock {
  return {
    ...asked,
    door: 'proxy',
    shape: 'tunnel-blind',
    httpVersion: '1.1',
    method: 'CONNECT',
    path: '',
    headers: [],
    body: null,
    trailers: () => [],
    upgrade: false,
    signal: new AbortController().signal,
    cancel: () => {},
    proceed: () => {},
    inform: () => {},
  }
}
