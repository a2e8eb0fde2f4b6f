import { createServer } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { selfSigned } from './certificate.ts'

// A server of HTTP/2 by hand (RFC 9113): Node's own ends streams in good order before it resets them.

const PREFACE_BYTES = 24
const HEADERS = 1
const SETTINGS = 4
const END_HEADERS = 4

/** A frame: length, type, flags, stream, payload (RFC 9113, 4.1). */
export function frame(type: number, flags: number, stream: number, payload = ''): Buffer {
  const head = Buffer.alloc(9)
  const bytes = Buffer.from(payload, 'latin1')
  head.writeUIntBE(bytes.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, bytes])
}

/** `:status: 200` is entry 8 of HPACK's table (RFC 7541, A). */
export const ok = (stream: number): Buffer => frame(HEADERS, END_HEADERS, stream, '\x88')
export const half = (stream: number): Buffer => frame(0, 0, stream, 'half')
export const reset = (stream: number, code: number): Buffer =>
  frame(3, 0, stream, String.fromCharCode(0, 0, 0, code))
export const goaway = (last: number, code: number): Buffer =>
  frame(7, 0, 0, String.fromCharCode(0, 0, 0, last, 0, 0, 0, code))

/** Begins to speak HTTP/2 on a server's connection, and tells the stream of each request's head. */
export function onHeads(socket: TLSSocket, onHead: (stream: number) => void | Promise<void>): void {
  socket.on('error', () => {}).write(frame(SETTINGS, 0, 0))
  let unread = Buffer.alloc(0)
  let from = PREFACE_BYTES
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk])
    for (; unread.length >= from + 9; from += 9 + unread.readUIntBE(from, 3))
      if (unread[from + 3] === HEADERS) void onHead(unread.readUInt32BE(from + 5))
  })
}

export interface FrameServer {
  readonly port: number
  readonly ca: string
  /** How many requests began. */
  readonly requests: () => number
}

/** Does what `onRequest` says at the head of each request; its certificate is for `host`. */
export async function frameServer(
  t: Test,
  onRequest: (socket: TLSSocket, stream: number, turn: number) => void,
  host = '127.0.0.1',
): Promise<FrameServer> {
  const identity = await selfSigned(host)
  const sockets = new Set<TLSSocket>()
  let turn = 0
  const server = createServer({ ...identity, ALPNProtocols: ['h2'] }, (socket) => {
    sockets.add(socket)
    onHeads(socket, (stream) => {
      turn += 1
      onRequest(socket, stream, turn)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, ca: identity.cert, requests: () => turn }
}
