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

/** RFC 9110, 6.4.1. */
function hasBody(status: number, method: string | undefined): boolean {
  return method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304
}

function lengthOf({ status, headers, body, trailers }: Reply, bodied: boolean): number | undefined {
  if (status < 200 || status === 204) return undefined
  if (Buffer.isBuffer(body)) return body.length
  // Announced trailers need chunks, which a length would rule out.
  if (bodied && trailers && valuesOf(headers, 'trailer').length > 0) return undefined
  const [declared] = valuesOf(headers, 'content-length')
  if (body === null && bodied) return trailers ? undefined : 0
  return declared !== undefined && /^\d+$/.test(declared) ? Number(declared) : undefined
}
