import type { OutgoingHttpHeaders } from 'node:http2'
import { groupFields } from '../../../catalog/index.ts'
import type { Framing } from '../framing.ts'
import { valuesOf, wireTarget } from '../framing.ts'
import type { RawHeaders, UpstreamRequest } from '../port.ts'
import type { Plan } from '../route.ts'
import { authorityOf } from '../target.ts'

/** What HTTP/2 says in other ways, or does not know (RFC 9113, 8.2.2). */
const LEFT_OUT = new Set([
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

/** The head of a request as HTTP/2 has it; Host becomes the authority. */
export function headFields(
  request: UpstreamRequest,
  plan: Plan,
  { headers, expects }: Framing,
): OutgoingHttpHeaders {
  const [authority = authorityOf(request.origin)] = valuesOf(headers, 'host')
  return {
    ':method': request.method,
    ':scheme': request.origin.scheme,
    ':authority': authority,
    ':path': wireTarget(request, plan),
    ...groupFields(messageFields(headers)),
    ...(expects ? { expect: '100-continue' } : {}),
  }
}

/** Fields of a request's head or trailers that HTTP/2 can carry. */
export function messageFields(headers: RawHeaders): RawHeaders {
  const fields: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] as string
    if (!LEFT_OUT.has(name.toLowerCase())) fields.push(name, headers[at + 1] as string)
  }
  return fields
}
