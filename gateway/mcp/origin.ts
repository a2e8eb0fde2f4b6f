import type { Config } from '../config/types.ts'
import type { Knock } from '../knock.ts'
import { refusal } from '../refusal.ts'
import { getAllHeaders } from '../wire/headers.ts'

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * A page of somebody else's that has our address behind a name of its own (DNS rebinding) says so in `Origin`, which no page
 * can change. Pages of this machine and of the gateway's own address may ask; programs send no `Origin`.
 * @throws Refusal
 */
export function checkOrigin({ headers }: Knock, config: Pick<Config, 'owner' | 'listen'>): void {
  const origins = getAllHeaders(headers, 'origin')
  if (origins.every((origin) => isOurs(origin, config))) return
  throw refusal('origin_refused', 'origin', {
    got: `\`${origins.join(', ').slice(0, 80)}\``,
    repair: 'ask from a program, or from a page of the gateway’s own address',
  })
}

function isOurs(origin: string, { owner, listen }: Pick<Config, 'owner' | 'listen'>): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  const own = owner.send === undefined ? undefined : new URL(owner.send.base).hostname
  const bound = listen.proxy.kind === 'tcp' ? listen.proxy.host : undefined
  return LOOPBACK.includes(hostname) || hostname === own || hostname === bound
}
