import { connect } from 'node:http2'
import type { ClientHttp2Session, OutgoingHttpHeaders, Settings } from 'node:http2'
import type { Test } from 'tap'
import { openTls } from './_door.ts'
import type { TestDoor } from './_door.ts'

/** An HTTP/2 session inside a new tunnel. */
export async function openHttp2(
  t: Test,
  door: TestDoor,
  settings: Settings = {},
): Promise<ClientHttp2Session> {
  const socket = await openTls(t, door, { ALPNProtocols: ['h2'] })
  t.equal(socket.alpnProtocol, 'h2')
  const session = connect('https://api.test', { createConnection: () => socket, settings })
  session.on('error', () => {})
  t.teardown(() => session.destroy())
  return session
}

/** All that came on one stream. */
export interface Heard {
  readonly status: number | undefined
  readonly headers: Record<string, unknown>
  readonly information: (number | undefined)[]
  readonly text: string
  readonly trailers: Record<string, unknown>
  readonly code: number
}

/** Sends one request and waits for the end of its stream. */
export async function ask(
  session: ClientHttp2Session,
  head: OutgoingHttpHeaders,
  body?: string,
): Promise<Heard> {
  const stream = session.request(head, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  let headers: Heard['headers'] = {}
  let trailers: Heard['headers'] = {}
  let text = ''
  const information: Heard['information'] = []
  stream.on('response', (fields) => (headers = fields))
  stream.on('headers', (fields) => information.push(fields[':status']))
  stream.on('trailers', (fields) => (trailers = fields))
  stream.on('data', (chunk) => (text += chunk))
  stream.on('error', () => {})
  await new Promise((resolve) => stream.once('close', resolve))
  return {
    status: Number(headers[':status']),
    headers,
    information,
    text,
    trailers,
    code: stream.rstCode,
  }
}
