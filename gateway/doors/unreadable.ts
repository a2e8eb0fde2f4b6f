import { STATUS_CODES } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { problemDocument, refusal, refusalFields } from '../refusal.ts'
import type { Refusal } from '../refusal.ts'
import { breakBody } from './body.ts'
import type { Doors } from './door.ts'
import { pairsOf } from './fields.ts'

interface Unreadable {
  readonly code: 'malformed_request' | 'headers_too_large'
  readonly status: number
  readonly got: string
  readonly repair: string
}

const TLS_HANDSHAKE = 0x16
// A fatal alert, handshake_failure (RFC 8446, 6): a TLS client reads it where it would only wonder at an HTTP answer.
const TLS_ALERT = Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])

/**
 * Makes the answer to what Node's parser could not read, or read in time. It reaches no exchange; but where it is the
 * body of the `latest` request on its connection, that one's exchange has to answer.
 */
export function createUnreadableDoor(
  doors: Pick<Doors, 'connections' | 'limits' | 'metrics' | 'refusedHeader'>,
  latest: (socket: Duplex) => IncomingMessage | undefined,
): (error: Error, socket: Duplex) => void {
  const answered = new WeakSet<Duplex>()
  return (error, socket) => {
    // What comes behind the first fault on a connection is dropped unread.
    if (answered.has(socket)) return
    answered.add(socket)
    const connection = doors.connections.of(socket)
    if (!socket.writable || codeOf(error) === 'ECONNRESET') return void socket.destroy()
    // The client ended its side within a body that an exchange is reading: it has gone, and broke nothing.
    if (connection.running > 0 && codeOf(error) === 'HPE_INVALID_EOF_STATE')
      return void socket.destroy()
    const fault = faultOf(error, doors.limits)
    doors.metrics?.unreadable(fault.status)
    if (connection.running > 0) {
      // Another answer would be taken for one that is still owed: those end, and the connection with them.
      const request = latest(socket)
      if (request?.complete === false) breakBody(request, refusalOf(fault))
      return doors.connections.retire(connection)
    }
    socket.end(firstByte(error) === TLS_HANDSHAKE ? TLS_ALERT : answerTo(fault, doors))
    // Read on for a moment: to close over unread bytes would reset the connection and lose the answer.
    socket.resume()
    const timer = setTimeout(() => socket.destroy(), doors.limits.drainMs)
    socket.once('close', () => clearTimeout(timer))
  }
}

function faultOf(error: Error, limits: Doors['limits']): Unreadable {
  switch (codeOf(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        code: 'headers_too_large',
        status: 431,
        got: `more than ${limits.maxHeaderBytes} bytes of header fields`,
        repair: `keep all header fields together within ${limits.maxHeaderBytes} bytes`,
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        code: 'malformed_request',
        status: 408,
        got: `no whole head within ${limits.headMs} ms`,
        repair: 'send the request’s head at once',
      }
    default:
      return {
        code: 'malformed_request',
        status: 400,
        // The parser's code alone: its text could quote the request, and with it a token.
        got: `what HTTP/1.1 does not allow (${codeOf(error)})`,
        repair: 'send a request as RFC 9112 writes it',
      }
  }
}

function refusalOf({ code, ...fault }: Unreadable): Refusal {
  return refusal(code, 'request', { ...fault, closes: true })
}

function answerTo(fault: Unreadable, { refusedHeader }: Pick<Doors, 'refusedHeader'>): string {
  const { status } = fault
  const refused = refusalOf(fault)
  const document = problemDocument(refused, { status, ran: false, receipt: undefined })
  const body = `${JSON.stringify(document)}\n`
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...pairsOf(refusalFields(refused, refusedHeader())).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
}

function firstByte(error: Error): number | undefined {
  return 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket[0] : undefined
}
