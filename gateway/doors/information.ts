import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { areWritable, messageFields, pairsOf } from './fields.ts'

/**
 * Writes a 1xx answer. Node writes only some of them and only with some fields, so the head is written here. One that
 * cannot be written, or that the client is too slow to take, is dropped: only the answer itself is owed.
 */
export function writeInformation(socket: Socket, status: number, headers: RawHeaders): void {
  if (!socket.writable || socket.writableNeedDrain) return
  if (status < 102 || status > 199 || !areWritable(headers)) return
  const fields = messageFields(headers, ['content-length'])
  const lines = pairsOf(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const phrase = STATUS_CODES[status] ?? ''
  socket.write(`HTTP/1.1 ${status} ${phrase}\r\n${lines.join('')}\r\n`, 'latin1')
}
