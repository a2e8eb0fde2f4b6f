import type { EventEmitter } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { connect as http2Connect } from 'node:http2'
import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { connect as tlsConnect } from 'node:tls'
import type { TLSSocket } from 'node:tls'

/** How a client may speak to the gateway. What is judged must not depend on it. */
export const SHAPES = ['absolute', 'tunnel-h1', 'tunnel-h2', 'tunnel-clear', 'mount'] as const

export type Shape = (typeof SHAPES)[number]

/** Shapes in which the upstream is reached over TLS. */
export const isSecure = (shape: Shape): boolean => shape === 'tunnel-h1' || shape === 'tunnel-h2'

export const HOST = 'api.test'
export const MOUNT = '/m'

/** Where a client finds the gateway, and whom it trusts. */
export interface Reach {
  readonly proxyPort: number
  readonly caPem: string
}

/** One request as a test states it; the shape decides how it is written. */
export interface Asked {
  readonly token: string | undefined
  /** Another host than the one behind which the upstreams are; not for a mount. */
  readonly host?: string
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | Readable
  /** Goes away, connection and all, before the answer's head has come, or before there is a tunnel. */
  readonly signal?: AbortSignal
}

/** An answer whose body is still on its way. */
export interface Live {
  readonly status: number
  readonly statusText: string
  /** Names and values in turn, names in lower case. */
  readonly headers: readonly string[]
  readonly header: (name: string) => string | undefined
  /** Heads of 1xx answers that came before. */
  readonly informed: readonly (readonly string[])[]
  readonly body: Readable
  readonly trailers: () => readonly string[]
  /** Goes away without waiting for the end. */
  leave(): void
}

/** An answer that has ended. */
export interface Got extends Omit<Live, 'body' | 'leave'> {
  readonly bytes: Buffer
  readonly text: string
  /** False where the answer was broken off: the client can tell that it is not all. */
  readonly whole: boolean
  /** Everything that the client saw, in one text, byte for byte. */
  readonly seen: string
}

/** Sends a request in this shape, on a connection of its own; resolves with the answer's head. */
export async function openIn(shape: Shape, reach: Reach, asked: Asked): Promise<Live> {
  if (shape === 'tunnel-h2') return openHttp2(reach, asked)
  const { options, close } = await placeOf(shape, reach, asked)
  const req = httpRequest({
    ...options,
    method: asked.method ?? 'GET',
    headers: headersOf(shape, asked),
  })
  return liveOf(req, asked, close)
}

/** The same, waiting for the end. It never rejects for an answer that breaks off. */
export async function askIn(shape: Shape, reach: Reach, asked: Asked): Promise<Got> {
  const live = await openIn(shape, reach, asked)
  return finish(live)
}

/** Reads a live answer to its end, clean or not. */
export async function finish(live: Live): Promise<Got> {
  const chunks: Buffer[] = []
  let whole = true
  try {
    for await (const chunk of live.body) chunks.push(chunk as Buffer)
  } catch {
    whole = false
  }
  const bytes = Buffer.concat(chunks)
  live.leave()
  const { status, statusText, headers, header, informed, trailers } = live
  const heads = [statusText, ...headers, ...informed.flat(), ...trailers()].join('\n')
  return {
    status,
    statusText,
    headers,
    header,
    informed,
    trailers,
    bytes,
    whole,
    text: bytes.toString('utf8'),
    seen: `${heads}\n${bytes.toString('latin1')}`,
  }
}

export const basic = (userInfo: string): string =>
  `Basic ${Buffer.from(userInfo).toString('base64')}`

function headersOf(
  shape: Shape,
  { token, host: name = HOST, headers = {} }: Asked,
): Record<string, string> {
  const isPlainDoor = shape === 'absolute' || shape === 'mount'
  const host = headers['host'] ?? (shape === 'mount' ? 'gateway.test' : name)
  if (token === undefined || !isPlainDoor) return { host, ...headers }
  return shape === 'mount'
    ? { host, authorization: `Bearer ${token}`, ...headers }
    : { host, 'proxy-authorization': basic(`agent:${token}`), ...headers }
}

interface Place {
  readonly options: RequestOptions
  readonly close: () => void
}

async function placeOf(shape: Shape, reach: Reach, asked: Asked): Promise<Place> {
  const { token, path = '/', host = HOST, signal } = asked
  const direct = { host: '127.0.0.1', port: reach.proxyPort, agent: false } as const
  if (shape === 'absolute')
    return { options: { ...direct, path: `http://${host}${path}` }, close() {} }
  if (shape === 'mount') return { options: { ...direct, path: MOUNT + path }, close() {} }
  const socket =
    shape === 'tunnel-h1'
      ? await openTls(reach, asked, 'http/1.1')
      : await openTunnel(reach, token, `${host}:80`, signal)
  return {
    options: { createConnection: () => socket, path },
    close: () => socket.destroy(),
  }
}

/** Opens a tunnel; rejects with the status where it is refused. */
export async function openTunnel(
  { proxyPort }: Reach,
  token: string | undefined,
  authority: string,
  signal?: AbortSignal,
): Promise<Socket> {
  const headers = token === undefined ? {} : { 'proxy-authorization': basic(`agent:${token}`) }
  const req = httpRequest({
    host: '127.0.0.1',
    port: proxyPort,
    method: 'CONNECT',
    path: authority,
    agent: false,
    headers: { host: authority, ...headers },
  })
  req.end()
  onLeft(signal, () => req.destroy(new Error('left')))
  return new Promise((resolve, reject) => {
    req.once('error', reject)
    req.once('connect', (res: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => {})
      onLeft(signal, () => socket.destroy())
      if (head.length > 0) socket.unshift(head)
      if (res.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(Object.assign(new Error(`CONNECT: ${res.statusCode}`), { status: res.statusCode }))
    })
  })
}

/** TLS inside a new tunnel. */
export async function openTls(
  reach: Reach,
  { token, host = HOST, signal }: Pick<Asked, 'token' | 'host' | 'signal'>,
  protocol: 'h2' | 'http/1.1',
): Promise<TLSSocket> {
  const socket = await openTunnel(reach, token, `${host}:443`, signal)
  const tls = tlsConnect({
    socket,
    servername: host,
    ca: reach.caPem,
    ALPNProtocols: [protocol],
  })
  tls.on('error', () => {})
  await first(tls, 'secureConnect')
  return tls
}

/** Does it when the client leaves, or at once where it has left. */
function onLeft(signal: AbortSignal | undefined, leave: () => void): void {
  if (signal?.aborted === true) return leave()
  signal?.addEventListener('abort', leave)
}

/** Waits for an event; rejects where the emitter ends before, with or without an error. */
function first(emitter: EventEmitter, name: string): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    emitter.once(name, (...args: unknown[]) => resolve(args))
    emitter.once('error', reject)
    emitter.once('close', () => reject(new Error(`closed before its ${name}`)))
  })
}

function sendBody(to: ClientRequest | ClientHttp2Stream, { body }: Asked): void {
  if (body instanceof Readable) body.on('error', () => to.destroy()).pipe(to)
  else to.end(body)
}

async function liveOf(req: ClientRequest, asked: Asked, close: () => void): Promise<Live> {
  const informed: string[][] = []
  req.on('information', (info) => informed.push(lowerNames(info.rawHeaders)))
  const leave = () => {
    req.destroy(new Error('left'))
    close()
  }
  req.on('error', close)
  onLeft(asked.signal, leave)
  sendBody(req, asked)
  const [res] = (await first(req, 'response')) as [IncomingMessage]
  const headers = lowerNames(res.rawHeaders)
  return {
    status: res.statusCode ?? 0,
    statusText: res.statusMessage ?? '',
    headers,
    header: (name) => valueOf(headers, name),
    informed,
    body: res,
    trailers: () => res.rawTrailers,
    leave() {
      req.destroy()
      close()
    },
  }
}

async function openHttp2(reach: Reach, asked: Asked): Promise<Live> {
  const { method = 'GET', path = '/', headers = {} } = asked
  const tls = await openTls(reach, asked, 'h2')
  const session = http2Connect(`https://${asked.host ?? HOST}`, { createConnection: () => tls })
  session.on('error', () => {})
  const { host = asked.host ?? HOST, ...rest } = headers
  const fields = { ':method': method, ':path': path, ':authority': host, ...rest }
  const stream = session.request(fields, { endStream: asked.body === undefined })
  const leave = () => {
    stream.on('error', () => {}).destroy(new Error('left'))
    session.destroy()
    tls.destroy()
  }
  stream.once('error', leave)
  onLeft(asked.signal, leave)
  const informed: string[][] = []
  stream.on('headers', (info: IncomingHttpHeaders) => informed.push(flatten(info)))
  if (asked.body !== undefined) sendBody(stream, asked)
  let trailers: string[] = []
  stream.on('trailers', (fields: IncomingHttpHeaders) => {
    trailers = flatten(fields)
  })
  const [head] = (await first(stream, 'response')) as [IncomingHttpHeaders]
  const flat = flatten(head)
  return {
    status: Number(head[':status']),
    statusText: '',
    headers: flat,
    header: (name) => valueOf(flat, name),
    informed,
    body: stream,
    trailers: () => trailers,
    leave() {
      stream.on('error', () => {}).destroy()
      session.destroy()
      tls.destroy()
    },
  }
}

function lowerNames(raw: readonly string[]): string[] {
  return raw.map((text, at) => (at % 2 === 0 ? text.toLowerCase() : text))
}

function flatten(fields: IncomingHttpHeaders): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => [name, String(one)]),
  )
}

function valueOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text === name)
  return at < 0 ? undefined : headers[at + 1]
}
