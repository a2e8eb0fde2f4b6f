import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Test } from 'tap'
import { selfSigned } from '../adapters/upstream/helpers/certificate.ts'
import { HOST } from './shapes.ts'

/** What an upstream does with a request. */
export type Serve = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

export interface UpstreamOptions {
  readonly serve?: Serve
  readonly upgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** The same upstream twice, in clear text and over TLS, so that every shape has one behind it. */
export interface Upstreams {
  readonly plainPort: number
  readonly securePort: number
  /** The file with the certificate that the second one shows. */
  readonly caFile: string
  /** What reached either of them: method and path, in order. */
  readonly arrived: string[]
}

/** Starts both on loopback; they end with the test. */
export async function openUpstreams(
  t: Test,
  folder: string,
  { serve = (_req, res) => void res.end('ok'), upgrade }: UpstreamOptions = {},
): Promise<Upstreams> {
  const arrived: string[] = []
  const identity = await selfSigned(HOST)
  const caFile = join(folder, 'upstream-ca.pem')
  writeFileSync(caFile, identity.cert)
  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    arrived.push(`${req.method} ${req.url}`)
    res.on('error', () => {})
    Promise.resolve(serve(req, res)).catch((error: unknown) => t.fail(String(error)))
  }
  const servers = [createServer(onRequest), createSecureServer(identity, onRequest)] as const
  const [plainPort, securePort] = await Promise.all([
    listen(t, servers[0], upgrade),
    listen(t, servers[1], upgrade),
  ])
  return { plainPort, securePort, caFile, arrived }
}

async function listen(
  t: Test,
  server: Server,
  upgrade: UpstreamOptions['upgrade'],
): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  })
  if (upgrade !== undefined) server.on('upgrade', upgrade)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** The whole body of a request. */
export async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Answers JSON with its length. */
export function answerJson(res: ServerResponse, value: unknown, status = 200): void {
  const text = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  })
  res.end(text)
}
