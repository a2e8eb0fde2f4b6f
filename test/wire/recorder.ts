import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import type { Test } from 'tap'
import { selfSigned } from '../adapters/upstream/helpers/certificate.ts'
import { HOST } from '../helpers/shapes.ts'
import { readMessage } from './message.ts'
import type { Message } from './message.ts'

/** What an upstream says to a whole request: bytes (latin1), and whether it hangs up behind them. */
export interface Say {
  readonly bytes: string
  readonly end?: boolean
}

/** One connection of the gateway to the upstream: all of its bytes (latin1), and the requests read off them. */
export interface Recorded {
  readonly secure: boolean
  bytes: string
  readonly requests: Message[]
  /** What cannot be read as a request. */
  fault: string | undefined
  closed: boolean
}

/** An upstream that is no HTTP server: it keeps every byte that it got, in clear text and over TLS. */
export interface Recorder {
  readonly plainPort: number
  readonly securePort: number
  /** The file with the certificate that it shows. */
  readonly caFile: string
  readonly connections: readonly Recorded[]
  /** The connections on which this text came. */
  holding(text: string): readonly Recorded[]
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'

/** Accepts an upgrade, so that a WebSocket's way is seen to its end. */
export const SWITCHED =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'

/** Answers a request once it is whole and clean; by default with 200, or with the switch that it asks for. */
export type Answering = (request: Message, connection: Recorded) => Say

const answerAll: Answering = ({ fields }) =>
  fields.some((line) => /^upgrade:/i.test(line))
    ? { bytes: SWITCHED, end: true }
    : { bytes: OK, end: true }

/** Starts both on loopback; they end with the test. */
export async function openRecorder(t: Test, answer: Answering = answerAll): Promise<Recorder> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-wire-'))
  const identity = await selfSigned(HOST)
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, identity.cert)
  const connections: Recorded[] = []
  const sockets = new Set<Socket>()
  const record = (secure: boolean) => (socket: Socket) => {
    sockets.add(socket)
    const connection: Recorded = {
      secure,
      bytes: '',
      requests: [],
      fault: undefined,
      closed: false,
    }
    connections.push(connection)
    follow(socket, connection, answer)
    socket.once('close', () => sockets.delete(socket))
  }
  const servers = [createServer(record(false)), createTlsServer(identity, record(true))] as const
  const [plainPort, securePort] = await Promise.all(servers.map(listen))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    plainPort: plainPort ?? 0,
    securePort: securePort ?? 0,
    caFile,
    connections,
    holding: (text) => connections.filter(({ bytes }) => bytes.includes(text)),
  }
}

function follow(socket: Socket, connection: Recorded, answer: Answering): void {
  let unread = ''
  socket.on('error', () => {})
  socket.once('close', () => (connection.closed = true))
  socket.on('data', (chunk: Buffer) => {
    const text = chunk.toString('latin1')
    connection.bytes += text
    unread += text
    try {
      for (let request = readMessage(unread); request; request = readMessage(unread)) {
        unread = request.rest
        connection.requests.push(request)
        const said = answer(request, connection)
        socket.write(said.bytes, 'latin1')
        if (said.end) return void socket.end()
      }
    } catch (error) {
      connection.fault = String(error)
      socket.destroy()
    }
  })
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
