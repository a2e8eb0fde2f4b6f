import type { OutgoingHttpHeaders } from 'node:http2'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { groupFields } from '../../catalog/index.ts'
import { messageFields, pairsOf } from './fields.ts'

/** The head of an HTTP/2 request, its pseudo-fields apart from its fields. */
export interface Http2Head {
  readonly method: string
  readonly path: string
  readonly scheme: string
  readonly authority: string | undefined
  readonly headers: RawHeaders
}

/** Takes a raw head apart. Cookie crumbs become one field, as HTTP/1 upstreams need it (RFC 9113, 8.2.3). */
export function splitHead(raw: RawHeaders): Http2Head {
  const pseudo = new Map<string, string>()
  const headers: string[] = []
  const cookies: string[] = []
  for (const [name, value] of pairsOf(raw)) {
    if (name.startsWith(':')) pseudo.set(name, value)
    else if (name === 'cookie') cookies.push(value)
    else headers.push(name, value)
  }
  if (cookies.length > 0) headers.push('cookie', cookies.join('; '))
  return {
    method: pseudo.get(':method') ?? '',
    path: pseudo.get(':path') ?? '',
    scheme: pseudo.get(':scheme') ?? '',
    authority: pseudo.get(':authority'),
    headers,
  }
}

/** Flat fields as Node's HTTP/2 wants them; what only HTTP/1 connections know is left out. */
export function toHttp2(headers: RawHeaders, without: readonly string[] = []): OutgoingHttpHeaders {
  return groupFields(messageFields(headers, ['http2-settings', ...without]))
}

/** Fields that Node gives as an object, flat. */
export function fromHttp2(fields: NodeJS.Dict<string | string[]>): RawHeaders {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, one]),
  )
}
