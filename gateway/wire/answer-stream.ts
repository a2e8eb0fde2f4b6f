import { Readable } from 'node:stream'
import type { Answer } from '../../adapters/upstream/port.ts'

/** An answer's body as a stream, where all of it is there as well. */
export function streamOf(body: Answer['body']): Readable {
  return Buffer.isBuffer(body) ? Readable.from([body]) : body
}

/** Lets go of a body that nobody will read: its connection must not wait for that. */
export function dropBody(body: Answer['body']): void {
  if (!Buffer.isBuffer(body)) body.destroy()
}
