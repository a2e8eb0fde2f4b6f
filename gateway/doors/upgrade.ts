import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { KnockFault, Reply } from '../knock.ts'
import { answerDetached, serveDetached } from './detached.ts'
import type { Addressed, Doors } from './door.ts'
import { messageFields, pairsOf, tokensOf, valuesOf } from './fields.ts'
import { announcesBody, malformed } from './framing.ts'
import { relay } from './relay.ts'
import { phraseOf } from './reply-framing.ts'

/** An upgrade request, with the bytes that came behind its head. */
export interface Upgrade {
  readonly req: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
  readonly addressed: Addressed
}

/** Serves an upgrade to WebSocket; every other protocol, h2c above all, would leave the gateway blind and is refused. */
export async function serveUpgrade(upgrade: Upgrade, doors: Doors): Promise<void> {
  const { req, socket, head } = upgrade
  socket.on('error', () => {})
  if (head.length > 0) socket.unshift(head)
  const other = upgradeFault(req)
  const fault = upgrade.addressed.fault ?? other
  const addressed = { ...upgrade.addressed, ...(fault ? { fault } : {}) }
  const visit = { req, socket, addressed, upgrade: other === undefined }
  await serveDetached(visit, doors, async (reply, onCut) => {
    if (reply.status !== 101 || !reply.socket) {
      return answerDetached(visit, reply, { mustClose: true, onCut, limits: doors.limits })
    }
    socket.write(switchingHead(reply), 'latin1')
    await relay(socket, reply.socket, doors.limits)
  })
}

/** Exact tokens: `Connection: notupgrade` or `Upgrade: websocket2` ask for something else. */
function upgradeFault({
  rawHeaders,
  method,
  httpVersion,
}: IncomingMessage): KnockFault | undefined {
  const protocols = valuesOf(rawHeaders, 'upgrade')
  const isWebSocket = protocols.length === 1 && protocols[0]?.trim().toLowerCase() === 'websocket'
  const isAsked = tokensOf(rawHeaders, 'connection').includes('upgrade')
  if (!isWebSocket || !isAsked || method !== 'GET' || httpVersion !== '1.1') {
    return malformed(
      `an upgrade to \`${protocols.join(', ')}\``,
      'leave out Upgrade, or upgrade to websocket with GET',
    )
  }
  // Its bytes would be frames to one party and a body to the other.
  return announcesBody(rawHeaders) ? malformed('an upgrade with a body', 'send no body') : undefined
}

function switchingHead(reply: Reply): string {
  const fields: RawHeaders = [
    ...messageFields(reply.headers, ['content-length']),
    'Upgrade',
    'websocket',
    'Connection',
    'Upgrade',
  ]
  const lines = pairsOf(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${reply.status} ${phraseOf(reply)}\r\n${lines.join('')}\r\n`
}
