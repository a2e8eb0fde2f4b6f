import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { MOUNT } from '../shapes.ts'
import { ALL, basicOf, NOT_HALF, ON_ITS_WAY_MS, open, openTunnel, read, secure } from './client.ts'
import type { Shown, Step } from './client.ts'

/** The way to where requests are read, and how the target and the credential are written there. */
interface Way {
  readonly name: string
  readonly open: (shown: Shown) => Promise<readonly [socket: Socket, top: Duplex]>
  readonly target: (path: string) => string
  readonly fields: (shown: Shown) => string
}

const alone = async (opening: Promise<Socket>) => {
  const socket = await opening
  return [socket, socket] as const
}
const inTunnel = { target: (path: string) => path, fields: () => '' }

const WAYS: readonly Way[] = [
  {
    name: 'absolute',
    open: (shown) => alone(open(shown)),
    target: (path) => `http://api.test${path}`,
    fields: ({ token }) => `Proxy-Authorization: ${basicOf(token)}\r\n`,
  },
  {
    name: 'mount',
    open: (shown) => alone(open(shown)),
    target: (path) => `${MOUNT}${path}`,
    fields: ({ token }) => `Authorization: Bearer ${token}\r\n`,
  },
  { name: 'tunnel-clear', open: (shown) => alone(openTunnel(shown, 'api.test:80')), ...inTunnel },
  {
    name: 'tunnel-h1',
    async open(shown) {
      const socket = await openTunnel(shown, 'api.test:443')
      return [socket, await secure(shown, socket, 'http/1.1')]
    },
    ...inTunnel,
  },
]

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'

interface Asking {
  readonly way: Way
  /** The request line, with $ for where the path's beginning goes; further fields; what of the body is sent. */
  readonly request: readonly [method: string, path: string, fields?: string, body?: string]
  readonly cut?: number
  readonly bytes?: number
}

/** Sends a request, or so much of it, and waits for so many bytes of an answer. */
async function ask(shown: Shown, { way, request, cut, bytes = 0 }: Asking): Promise<Socket> {
  const [socket, top] = await way.open(shown)
  const [method, path, fields = '', body = ''] = request
  const head = `${method} ${way.target(path)} HTTP/1.1\r\nHost: api.test\r\n${way.fields(shown)}`
  top.write(`${head}${fields}\r\n${body}`.slice(0, cut))
  if (bytes > 0) await read(top, bytes)
  else await delay(ON_ITS_WAY_MS)
  return socket
}

const LARGE = 100_000

/** Points within requests of HTTP/1.1. */
export const HTTP1: readonly Step[] = WAYS.flatMap((way) =>
  (
    [
      ['within the head', { request: ['GET', '/ok'], cut: 12 }],
      ['before the body', { request: ['POST', '/read', 'Content-Length: 9\r\n'] }],
      ['within the body', { request: ['POST', '/read', 'Content-Length: 9\r\n', 'abc'] }],
      [
        'within chunks',
        { request: ['POST', '/read', 'Transfer-Encoding: chunked\r\n', '9\r\nab'] },
      ],
      ['before the answer', { request: ['GET', '/silent'] }],
      ['within the answer', { request: ['GET', '/endless'], bytes: LARGE }],
      ['within an answer that falls silent', { request: ['GET', '/begun'], bytes: 1 }],
      ['after the answer', { request: ['GET', '/ok'], bytes: 1 }],
      ['before the switch', { request: ['GET', '/silent', UPGRADE] }],
      ['within an answer in its place', { request: ['GET', '/begun', UPGRADE], bytes: 1 }],
      ['after the switch', { request: ['GET', '/switch', UPGRADE], bytes: 1 }],
    ] satisfies readonly (readonly [string, Omit<Asking, 'way'>])[]
  ).map(([name, asking]) => ({
    name: `${way.name}: ${name}`,
    reach: (shown: Shown) => ask(shown, { way, ...asking }),
    manners: name === 'after the switch' ? NOT_HALF : ALL,
  })),
)
