import { STATUS_CODES } from 'node:http'
import type { Reply } from '../knock.ts'
import { messageFields, valuesOf } from './fields.ts'

/** How an answer is delimited, and its fields with that. */
export interface Framing {
  readonly fields: readonly string[]
  /** Whether bytes of a body are sent at all. */
  readonly bodied: boolean
  /** The Content-Length that is promised, where one is. */
  readonly length: number | undefined
}

/** Frames a Reply to a request of this method. */
export function frame(reply: Reply, method: string | undefined): Framing {
  const bodied = hasBody(reply.status, method)
  const length = lengthOf(reply, bodied)
  const fields = messageFields(reply.headers, ['content-length'])
  if (length !== undefined) fields.push('Content-Length', String(length))
  return { fields, bodied, length }
}

/** The reason phrase of a status line; one with control bytes, which no status line can hold, is the standard one. */
export function phraseOf({ status, statusText }: Reply): string {
  const written = statusText !== undefined && PHRASE.test(statusText)
  return written ? statusText : (STATUS_CODES[status] ?? '')
}

const PHRASE = /^[\t\x20-\x7e\x80-\xff]*$/
const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304])

/** RFC 9110, 6.4.1 and 15.3.6. */
function hasBody(status: number, method: string | undefined): boolean {
  return method !== 'HEAD' && status >= 200 && !BODYLESS.has(status)
}

function lengthOf({ status, headers, body, trailers }: Reply, bodied: boolean): number | undefined {
  if (status < 200 || status === 204) return undefined
  // Unlike a 204's, its end has to be told (RFC 9112, 6.3).
  if (status === 205) return 0
  if (Buffer.isBuffer(body)) return body.length
  // Announced trailers need chunks, which a length would rule out.
  if (bodied && trailers && valuesOf(headers, 'trailer').length > 0) return undefined
  const [declared] = valuesOf(headers, 'content-length')
  if (body === null && bodied) return trailers ? undefined : 0
  return declared !== undefined && /^\d+$/.test(declared) ? Number(declared) : undefined
}
