import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { duplexPair, type Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import type { Standing } from '../standing.ts'
import { getAllHeaders } from '../wire/headers.ts'
import { createSocketCalls } from './calls.ts'
import { keepOpen } from './keep.ts'

/** What a client names that has to name a subprotocol, as browsers do that send their token in one. */
const PROTOCOL = 'narrowgate'

const HANDSHAKE = ['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol']

/** Accepts an upgrade: the answer's socket is the far end of the connection, whose frames are read and written here. */
export async function acceptSocket(
  knock: Knock,
  standing: Standing,
  around: DoorAround,
): Promise<Reply> {
  const [near, far] = duplexPair()
  joinEnds(near, far)
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    autoPong: false,
    maxPayload: around.limits.judgedBodyBytes,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  })
  server.handleUpgrade(requestOf(knock), near, Buffer.alloc(0), (socket: WebSocket) => {
    const calls = createSocketCalls(socket, knock, around)
    near.once('close', () => calls.end())
    keepOpen(socket, { watch: around.watch(standing), near, idleMs: around.config.limits.idleMs })
  })
  await once(far, 'readable')
  return { status: 101, headers: fieldsOf(far.read() as Buffer), body: null, socket: far }
}

/** One end that breaks off takes the other with it. What was written before is read by then, unless it broke. */
function joinEnds(near: Duplex, far: Duplex): void {
  near.once('close', () => far.destroy())
  far.once('close', () => near.destroy())
  for (const end of [near, far]) end.on('error', () => {})
}

/** As much of the request as the handshake needs. */
function requestOf({ headers }: Knock): IncomingMessage {
  const fields = HANDSHAKE.flatMap((name) => {
    const values = getAllHeaders(headers, name)
    return values.length === 0 ? [] : [[name, values.join(', ')] as const]
  })
  const request = {
    method: 'GET',
    url: '/',
    headers: { upgrade: 'websocket', connection: 'Upgrade', ...Object.fromEntries(fields) },
  }
  return request as Partial<IncomingMessage> as IncomingMessage
}

/** The fields of the handshake's answer; those of the hop are the door's. */
function fieldsOf(head: Buffer): RawHeaders {
  const lines = head.toString('latin1').split('\r\n')
  return lines.flatMap((line) => {
    const [, name, value] = /^(Sec-[^:]+): (.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [name, value]
  })
}
