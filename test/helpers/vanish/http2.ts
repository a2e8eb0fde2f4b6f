import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { frame } from '../../adapters/upstream/helpers/http2-frames.ts'
import { heldOn } from '../held.ts'
import { ALL, ON_ITS_WAY_MS, openTunnel, read, secure } from './client.ts'
import type { Shown, Step } from './client.ts'

const PINGS = 8
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const SETTINGS = 4
const HEADERS = 1
const PING = 6
const END_HEADERS = 4
const END_STREAM = 1

/** A request's head: the method's and the scheme's entries of HPACK's table, path and authority in full (RFC 7541, 6). */
function head2(method: 'GET' | 'POST', path: string): Buffer {
  const text = (name: string, value: string) => name + String.fromCharCode(value.length) + value
  const block = `${method === 'GET' ? '\x82' : '\x83'}\x87${text('\x04', path)}${text('\x01', 'api.test')}`
  return frame(HEADERS, END_HEADERS | (method === 'GET' ? END_STREAM : 0), 1, block)
}

interface Asking2 {
  readonly frames: readonly Buffer[]
  readonly cut?: number
  readonly bytes?: number
}

async function ask2(shown: Shown, { frames, cut, bytes = 0 }: Asking2): Promise<Socket> {
  const socket = await openTunnel(shown, 'api.test:443')
  const top = await secure(shown, socket, 'h2')
  top.write(
    Buffer.concat([Buffer.from(PREFACE), frame(SETTINGS, 0, 0), ...frames]).subarray(0, cut),
  )
  if (bytes > 0) await read(top, bytes)
  else await delay(ON_ITS_WAY_MS)
  return socket
}

/** Points within requests of HTTP/2. */
export const HTTP2: readonly Step[] = (
  [
    ['within the preface', { frames: [], cut: 10 }],
    ['after the preface', { frames: [] }],
    ['within the head', { frames: [head2('GET', '/ok')], cut: PREFACE.length + 9 + 12 }],
    ['within the body', { frames: [head2('POST', '/read'), frame(0, 0, 1, 'abc')] }],
    ['before the answer', { frames: [head2('GET', '/silent')] }],
    ['within the answer', { frames: [head2('GET', '/endless')], bytes: 60_000 }],
    ['within an answer that falls silent', { frames: [head2('GET', '/begun')], bytes: 40 }],
    ['after the answer', { frames: [head2('GET', '/ok')] }],
  ] satisfies readonly (readonly [string, Asking2])[]
).map(([name, asking]) => ({
  name: `tunnel-h2: ${name}`,
  reach: (shown: Shown) => ask2(shown, asking),
  manners: ALL,
}))

/** Every record is answered while it is read, on a connection that was reset before the first of them was. */
export const PINGED: readonly Step[] = ['/silent', '/endless', '/ok'].map((path) => ({
  name: `tunnel-h2: ${path} with pings behind it`,
  async reach(shown) {
    const socket = await openTunnel(shown, 'api.test:443')
    const { wire, hold, sendAndReset } = heldOn(socket)
    const top = (await secure(shown, wire, 'h2')).resume()
    top.write(Buffer.concat([Buffer.from(PREFACE), frame(SETTINGS, 0, 0), head2('GET', path)]))
    await delay(ON_ITS_WAY_MS)
    hold()
    for (let at = 0; at < PINGS; at++) top.write(frame(PING, 0, 0, '12345678'))
    await delay(ON_ITS_WAY_MS)
    sendAndReset()
    return socket
  },
  manners: ['closes'],
}))
