import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { Config } from '../config/types.ts'
import { refusal } from '../refusal.ts'
import { getHeader, removeHeaders } from '../wire/headers.ts'
import { sessionsIn } from '../wire/session-fields.ts'

/**
 * Browsers let a page of any origin open a WebSocket, and send their cookies along: a person's session in one of them does not say
 * that the person meant it. A token is never sent that way.
 * @throws Refusal `origin_refused`
 */
export function checkOrigin(
  headers: RawHeaders,
  config: Pick<Config, 'headers' | 'persons'>,
): void {
  const origin = getHeader(headers, 'origin')
  if (origin === undefined) return
  const { session } = config.headers
  const names = { header: session, cookie: config.persons.cookie }
  if (sessionsIn(removeHeaders(headers, [session]), names).length === 0) return
  const host = getHeader(headers, 'host')
  if (origin === `http://${host}` || origin === `https://${host}`) return
  throw refusal('origin_refused', 'origin', {
    got: `a page of \`${origin.slice(0, 200)}\` with a session in a cookie`,
    repair: 'open it from a page of the gateway’s own origin, or send no cookie',
  })
}
