import type { HolderDoor } from '../holder-door.ts'
import type { Knock } from '../knock.ts'
import { refusal } from '../refusal.ts'
import { checkWay } from '../standing.ts'
import { getAllHeaders } from '../wire/headers.ts'
import { checkOrigin } from './origin.ts'

/** Opens a WebSocket whose frames are calls. What its token may not is said before it is open. */
export const openSocket: HolderDoor = async (knock, around) => {
  checkHandshake(knock)
  checkOrigin(knock.headers, around.config)
  const standing = await around.standing(knock)
  checkWay(standing, knock.door)
  // Not before it is asked for: most gateways never need it.
  const { acceptSocket } = await import('./accept.ts')
  return acceptSocket(knock, standing, around)
}

/** RFC 6455, 4.2.1. */
function checkHandshake({ upgrade, headers }: Knock): void {
  if (!upgrade)
    throw refusal('malformed_request', 'upgrade', {
      got: 'a request that opens no WebSocket',
      repair: 'open a WebSocket here, or post the call to `/g/run`',
    })
  const versions = getAllHeaders(headers, 'sec-websocket-version')
  const keys = getAllHeaders(headers, 'sec-websocket-key')
  const [key = ''] = keys
  if (versions.join() === '13' && keys.length === 1 && /^[+/0-9A-Za-z]{22}==$/.test(key)) return
  throw refusal('malformed_request', 'upgrade', {
    got: `Sec-WebSocket-Version: ${versions.join(', ').slice(0, 80)}, and ${keys.length} keys`,
    repair: 'open it as version 13 has it (RFC 6455)',
  })
}
