import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect as tlsConnect } from 'node:tls'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import type { Test } from 'tap'
import { createListener } from '../../../gateway/doors/listener.ts'
import type { ListenerOptions } from '../../../gateway/doors/listener.ts'
import type { Exchange, Knock, Reply } from '../../../gateway/knock.ts'
import { ERRORS } from '../../../gateway/errors.ts'
import { limitsWith } from '../../../gateway/limits.ts'
import type { Limits } from '../../../gateway/limits.ts'
import { testEngine } from '../../helpers/engine.ts'
import { temporaryAuthority } from '../tls/_authority.ts'

export const TOKEN = 'g1.e30.c2lnbmF0dXJl'
export const basic = (userInfo: string) => `Basic ${Buffer.from(userInfo).toString('base64')}`
export const PROXY_AUTH = `Proxy-Authorization: ${basic(`agent:${TOKEN}`)}`

export interface TestDoor {
  readonly port: number
  readonly caPem: string
  /** Every knock that the exchange got, in order. */
  readonly knocks: Knock[]
  readonly listener: ReturnType<typeof createListener>
}

type Overrides = Partial<Omit<ListenerOptions, 'limits'>> & { readonly limits?: Partial<Limits> }

/** A listener alone: its exchange answers from the knock, by default with what the door understood. */
export async function openDoor(t: Test, overrides: Overrides = {}): Promise<TestDoor> {
  const { authority } = await temporaryAuthority(t)
  const knocks: Knock[] = []
  const exchange = overrides.exchange ?? describe
  const listener = createListener({
    listen: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    admit: async (credential, { host }) =>
      credential === TOKEN
        ? { ok: true, intercept: !host.startsWith('blind.') }
        : { ok: false, reply: challenge },
    mounts: () => [],
    holder: (_req, res) => void res.end('holder'),
    authority,
    refusedHeader: () => 'refused',
    engine: testEngine,
    log: { info() {}, warn: (fields, message) => t.comment(message, fields) },
    ...overrides,
    limits: limitsWith(overrides.limits),
    exchange: (knock) => {
      knocks.push(knock)
      return exchange(knock)
    },
  })
  const { address } = await listener.listen()
  t.teardown(() => listener.close({ graceMs: 0 }))
  return { port: Number(address.split(':').at(-1)), caPem: authority.caPem, knocks, listener }
}

export const challenge: Reply = {
  status: 407,
  headers: ['Proxy-Authenticate', 'Basic realm="narrowgate"'],
  body: Buffer.from('who are you?'),
}

function json(value: unknown, status = 200): Reply {
  return {
    status,
    headers: ['content-type', 'application/json'],
    body: Buffer.from(JSON.stringify(value)),
  }
}

/** Refuses faults; else tells what the door understood, after reading the body. */
export const describe: Exchange = async (knock) => {
  if (knock.fault) return json(knock.fault, knock.fault.status ?? ERRORS[knock.fault.code].status)
  const { door, shape, method, origin, path, headers, credential, httpVersion, mount } = knock
  knock.proceed()
  const chunks: Buffer[] = []
  for await (const chunk of knock.body ?? []) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  return json({ door, shape, method, origin, path, headers, credential, httpVersion, mount, body })
}

/** A raw connection to read from piece by piece. */
export interface RawClient {
  readonly socket: Socket
  send(...lines: string[]): void
  /** Everything received so far and not taken yet. */
  seen(): string
  /** Waits until what was received matches, takes it to the end of the match, and gives it. */
  until(pattern: RegExp): Promise<string>
  /** Waits for the end of the connection and gives all that came. */
  end(): Promise<string>
}

export async function rawClient(t: Test, port: number, through?: Socket): Promise<RawClient> {
  const socket = through ?? connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let text = ''
  let over = false
  let wake = () => {}
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    wake()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    over = true
    wake()
  })
  if (!through) await new Promise((resolve) => socket.once('connect', resolve))
  const change = () => new Promise<void>((resolve) => (wake = resolve))
  return {
    socket,
    send: (...lines) => void socket.write(lines.join('\r\n'), 'latin1'),
    seen: () => text,
    async until(pattern) {
      for (;;) {
        const match = pattern.exec(text)
        if (match) {
          const taken = text.slice(0, match.index + match[0].length)
          text = text.slice(taken.length)
          return taken
        }
        if (over) throw new Error(`the connection ended with ${JSON.stringify(text)}`)
        await change()
      }
    },
    async end() {
      while (!over) await change()
      return text
    },
  }
}

/** Opens a tunnel with a good token; bytes behind the answer stay on the socket. */
export async function openTunnel(door: TestDoor, authority: string): Promise<Socket> {
  const req = request({
    host: '127.0.0.1',
    port: door.port,
    method: 'CONNECT',
    path: authority,
    headers: { 'proxy-authorization': basic(`agent:${TOKEN}`) },
    agent: false,
  })
  req.end()
  return new Promise((resolve, reject) => {
    req.once('error', reject)
    req.once('connect', (res: IncomingMessage, socket: Socket) => {
      if (res.statusCode !== 200) return reject(new Error(`CONNECT was answered ${res.statusCode}`))
      resolve(socket)
    })
  })
}

/** TLS inside a new tunnel. */
export async function openTls(
  t: Test,
  door: TestDoor,
  options: ConnectionOptions & { readonly authority?: string } = {},
): Promise<TLSSocket> {
  const { authority = 'api.test:443', ...tls } = options
  const socket = await openTunnel(door, authority)
  const client = tlsConnect({ socket, servername: 'api.test', ca: door.caPem, ...tls })
  t.teardown(() => client.destroy())
  await new Promise((resolve, reject) => {
    client.once('secureConnect', resolve)
    client.once('error', reject)
  })
  client.on('error', () => {})
  return client
}
