import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { createUpstream } from '../../../../adapters/upstream/http.ts'
import type { UpstreamOptions } from '../../../../adapters/upstream/http.ts'
import type { Answer, Upstream, UpstreamRequest } from '../../../../adapters/upstream/port.ts'
import { testEngine } from '../../../helpers/engine.ts'
import { requestTarget } from '../../../../catalog/index.ts'
import type { Permit } from '../../../../policy/index.ts'

/** Stands in for `decide`: a permit for exactly this target. */
export function permitFor(target: string): Permit {
  return { target, tool: 'HTTP_GET', grant: 'g', link: 'l' } as unknown as Permit
}

export const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** A request to 127.0.0.1 that a test changes where it cares. */
export function requestTo(port: number, changes: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    origin: { scheme: 'http', host: '127.0.0.1', port },
    route: { allowPrivate: LOOPBACK },
    method: 'GET',
    path: '/',
    headers: ['Host', 'up.test'],
    body: null,
    upgrade: false,
    signal: new AbortController().signal,
    timeouts: { connect: 5_000, head: 5_000, idle: 5_000 },
    ...changes,
  }
}

/** An answer whose body is a stream, in however many pieces it came. */
type StreamedAnswer = Answer & { readonly body: Readable }

export async function send(upstream: Upstream, request: UpstreamRequest): Promise<StreamedAnswer> {
  const target = requestTarget(request.method, request.origin, request.path)
  const answer = await upstream.send(request, permitFor(target))
  const { body } = answer
  return { ...answer, body: Buffer.isBuffer(body) ? Readable.from([body]) : body }
}

/** An upstream that is closed when the test ends. */
export function upstreamFor(t: Test, options: UpstreamOptions = {}): Upstream {
  const upstream = createUpstream({ engine: testEngine, ...options })
  t.teardown(() => upstream.close())
  return upstream
}

export async function textOf(body: Readable): Promise<string> {
  let text = ''
  for await (const chunk of body) text += (chunk as Buffer).toString('latin1')
  return text
}

export interface RawServer {
  readonly port: number
  /** All bytes that came, one text for each connection. */
  readonly received: string[]
}

/** A TCP server that says what it is told to say: the hostile upstream. */
export async function rawServer(
  t: Test,
  onData: (socket: Socket, soFar: string, connection: number) => void,
): Promise<RawServer> {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const connection = received.push('') - 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received[connection] += chunk.toString('latin1')
      onData(socket, received[connection] ?? '', connection)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, received }
}

/** How many requests of no body have come whole. */
export const heads = (text: string): number => text.split('\r\n\r\n').length - 1

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** The fault that a call rejects with. */
export async function faultOf(work: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await work
  } catch (error) {
    return error as Record<string, unknown>
  }
  throw new Error('nothing was thrown')
}
