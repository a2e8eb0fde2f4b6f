import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { Duplex } from 'node:stream'

/** Where clients find the gateway, and what they show it. */
export interface Shown {
  readonly port: number
  readonly caPem: string
  readonly token: string
}

/** How a client goes: it closes, resets, or ends its side alone and waits. */
export type Manner = 'closes' | 'resets' | 'ends'

/** A point in the life of a connection at which its client goes. */
export interface Step {
  readonly name: string
  /** Comes to the point; what comes back is the connection, in the middle of things. */
  readonly reach: (shown: Shown) => Promise<Socket>
  /** In which ways it makes sense to go there. */
  readonly manners: readonly Manner[]
}

export function vanish(socket: Socket, manner: Manner): void {
  if (manner === 'closes') socket.destroy()
  else if (manner === 'resets') socket.resetAndDestroy()
  else socket.resume().end()
}

/** Every way of going. */
export const ALL: readonly Manner[] = ['closes', 'resets', 'ends']
/** Where either side may end first and the other goes on. */
export const NOT_HALF: readonly Manner[] = ['closes', 'resets']
/** Long enough for what was sent to be under way at the other end. */
export const ON_ITS_WAY_MS = 60

export const basicOf = (token: string) =>
  `Basic ${Buffer.from(`agent:${token}`).toString('base64')}`

export function open({ port }: Shown): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => {})
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)))
}

/** Reads until so many bytes have come, and no more. */
export function read(from: Duplex, bytes: number): Promise<void> {
  let came = 0
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      came += chunk.length
      if (came < bytes) return
      from.off('data', onData).pause()
      resolve()
    }
    from.on('data', onData).once('close', () => reject(new Error(`closed after ${came} bytes`)))
    from.resume()
  })
}

export async function openTunnel(shown: Shown, authority: string): Promise<Socket> {
  const socket = await open(shown)
  socket.write(connectHead(shown, authority))
  await read(socket, 1)
  return socket
}

export const connectHead = ({ token }: Shown, authority: string) =>
  `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: ${basicOf(token)}\r\n\r\n`

/** TLS in a tunnel, on whatever lies between it and the connection. */
export async function secure(
  shown: Shown,
  wire: Duplex,
  protocol: 'h2' | 'http/1.1',
): Promise<Duplex> {
  const options = { ca: shown.caPem, servername: 'api.test', ALPNProtocols: [protocol] }
  const tls = tlsConnect({ socket: wire, ...options })
  await new Promise((resolve, reject) => tls.once('secureConnect', resolve).once('error', reject))
  return tls.on('error', () => {})
}
