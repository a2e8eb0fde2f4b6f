import { createSecureServer } from 'node:http2'
import type { SecureServerOptions, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { selfSigned } from './certificate.ts'

/** What a test's server does with a stream; `fields` is the raw head of the request. */
export type ServeStream = (stream: ServerHttp2Stream, fields: readonly string[]) => void

export interface Http2Server {
  readonly port: number
  readonly ca: string
  /** A session for each connection that came, in order. */
  readonly sessions: ServerHttp2Session[]
  /** Raw heads of the requests that came over HTTP/2. */
  readonly heads: (readonly string[])[]
  /** TLS connections that came. */
  readonly count: () => number
}

/** A server that speaks HTTP/2 for 127.0.0.1, and HTTP/1.1 too where `allowHTTP1` says so; it ends with the test. */
export async function http2Server(
  t: Test,
  serve: ServeStream,
  options: SecureServerOptions = {},
): Promise<Http2Server> {
  const identity = await selfSigned('127.0.0.1')
  const server = createSecureServer({ ...identity, ...options })
  const sessions: ServerHttp2Session[] = []
  const heads: (readonly string[])[] = []
  let count = 0
  server.on('secureConnection', () => (count += 1))
  server.on('session', (session) => {
    sessions.push(session)
    session.on('error', () => {})
  })
  server.on('stream', (stream, _fields, _flags, raw?: readonly string[]) => {
    stream.on('error', () => {})
    heads.push(raw ?? [])
    serve(stream, raw ?? [])
  })
  // A listener makes Node answer streams of HTTP/2 too.
  if (options.allowHTTP1 === true)
    server.on('request', (req, res) => {
      if (req.httpVersion === '1.1') res.end('over 1.1')
    })
  server.on('sessionError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, ca: identity.cert, sessions, heads, count: () => count }
}
