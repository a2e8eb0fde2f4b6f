import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import { basic, HOST, MOUNT } from '../helpers/shapes.ts'
import type { Reach } from '../helpers/shapes.ts'
import type { Wire } from './probe.ts'

/** Where a client comes from: the gateway, and the token that it holds. */
export interface Client {
  readonly reach: Reach
  readonly token: string
}

export const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'

/** The bytes of a probe in this shape. */
export function fill(wire: Wire, token: string, { bytes, id }: { bytes: string; id: string }) {
  const own = {
    absolute: `Proxy-Authorization: ${basic(`agent:${token}`)}\r\n`,
    mount: `Authorization: Bearer ${token}\r\n`,
    clear: '',
    tls12: '',
    tls13: '',
    ws: `Proxy-Authorization: ${basic(`agent:${token}`)}\r\n${UPGRADE}`,
    wss: UPGRADE,
  }[wire]
  const at =
    { absolute: `http://${HOST}`, ws: `http://${HOST}`, mount: MOUNT }[wire as string] ?? ''
  const filled = bytes
    .replaceAll('$OWN', () => own)
    .replaceAll('$AT', () => at)
    .replaceAll('$HOST', () => (wire === 'mount' ? 'gateway.test' : HOST))
    .replaceAll('$ID', () => id)
  // Only a GET can ask for a WebSocket, and it is another fault that is being probed.
  return wire === 'ws' || wire === 'wss' ? filled.replace(/^POST /, 'GET ') : filled
}

/** A connection on which the next bytes are a request in this shape. */
export async function openWire(wire: Wire, client: Client): Promise<Socket> {
  switch (wire) {
    case 'absolute':
    case 'mount':
    case 'ws':
      return openTcp(client.reach.proxyPort)
    case 'clear':
      return openTunnel(client, `${HOST}:80`)
    case 'tls12':
      return openTls(client, { maxVersion: 'TLSv1.2' })
    case 'tls13':
    case 'wss':
      return openTls(client, { minVersion: 'TLSv1.3' })
  }
}

export function openTcp(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

/** Opens a tunnel with bytes of its own; rejects with the answer where there is none. */
export async function openTunnel({ reach, token }: Client, authority: string): Promise<Socket> {
  const socket = await openTcp(reach.proxyPort)
  const credentials = `Proxy-Authorization: ${basic(`agent:${token}`)}`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n\r\n`)
  const answer = await readHead(socket)
  if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`CONNECT ${authority}: ${answer}`)
  return socket
}

/** The next head on a connection; what lies behind it stays unread. */
export function readHead(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onClose = () => reject(new Error(`closed after ${JSON.stringify(text)}`))
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      socket.off('data', onData).off('close', onClose).pause()
      if (text.length > end + 4) socket.unshift(Buffer.from(text.slice(end + 4), 'latin1'))
      resolve(text.slice(0, end + 4))
    }
    socket.on('data', onData).once('close', onClose)
  })
}

export interface TlsWish {
  readonly maxVersion?: 'TLSv1.2'
  readonly minVersion?: 'TLSv1.3'
  readonly servername?: string
  readonly authority?: string
  readonly protocol?: 'h2' | 'http/1.1'
}

/** TLS inside a new tunnel. */
export async function openTls(client: Client, wish: TlsWish = {}): Promise<TLSSocket> {
  const { servername = HOST, authority = `${HOST}:443`, protocol, ...versions } = wish
  const socket = await openTunnel(client, authority)
  const tls = tlsConnect({
    socket,
    ca: client.reach.caPem,
    servername,
    // The gateway shows the tunnel's certificate; what is asked for by another name is the probe.
    checkServerIdentity: () => undefined,
    ...versions,
    ...(protocol === undefined ? {} : { ALPNProtocols: [protocol] }),
  })
  await new Promise((resolve, reject) => {
    tls.once('secureConnect', resolve).once('error', reject).once('close', reject)
  })
  return tls.on('error', () => {})
}

/** What a client saw of one connection. */
export interface Seen {
  /** Everything, latin1. */
  readonly text: string
  /** Whether the other side ended the connection within the time. */
  readonly closed: boolean
}

/** Sends bytes and reads until the connection ends, or `enough` says that no more is wanted. */
export function converse(
  socket: Socket,
  bytes: string,
  { ms, enough = () => false }: { ms: number; enough?: (text: string) => boolean },
): Promise<Seen> {
  return new Promise((resolve) => {
    let text = ''
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, closed })
    }
    const timer = setTimeout(() => finish(false), ms)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (enough(text)) finish(false)
    })
    socket.once('end', () => finish(true)).once('close', () => finish(true))
    // It was paused behind the answer to CONNECT.
    socket.resume().write(bytes, 'latin1')
  })
}
