import type { RawHeaders, UpstreamRequest } from './port.ts'
import { splicePath } from './splice.ts'
import { authorityOf } from './target.ts'
import type { Plan } from './route.ts'

/** Methods for which RFC 9110 8.6 asks no Content-Length of a request without a body. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

/** How the end of a request's body is told. */
export interface Framing {
  /** The fields to send, framing included. */
  readonly headers: RawHeaders
  /** Bytes that the body must have, or undefined where it is chunked. */
  readonly length: number | undefined
  /** The upstream is asked before the body is sent. */
  readonly expects: boolean
}

/**
 * Adds what the hop to the upstream needs: exactly one kind of framing, the upgrade's fields, the proxy's login.
 * Throws a TypeError where the fields contradict each other or the body: two readers could then see two requests,
 * and where the method would not be sent as it was judged.
 */
export function frameRequest(request: UpstreamRequest, plan: Plan): Framing {
  if (request.method !== request.method.toUpperCase()) {
    throw new TypeError(
      `method is \`${request.method}\`, which node:http would send in upper case; refuse it before it is judged`,
    )
  }
  const lengths = valuesOf(request.headers, 'content-length')
  if (valuesOf(request.headers, 'transfer-encoding').length > 0) {
    throw new TypeError(
      'headers hold `transfer-encoding`; framing belongs to the driver, leave it out',
    )
  }
  const length = lengths.length === 0 ? undefined : wholeLength(lengths)
  if (request.body === null && length !== undefined && length > 0) {
    throw new TypeError(
      `content-length is \`${length}\` but there is no body; send the body or leave it out`,
    )
  }
  const headers = [...request.headers, ...bodyFields(request, length), ...hopFields(request, plan)]
  return { headers, length, expects: expectsContinue(request) }
}

function bodyFields(request: UpstreamRequest, length: number | undefined): RawHeaders {
  if (length !== undefined) return []
  if (request.body !== null) return ['Transfer-Encoding', 'chunked']
  return BODILESS.has(request.method) ? [] : ['Content-Length', '0']
}

function hopFields(request: UpstreamRequest, plan: Plan): RawHeaders {
  const fields: string[] = []
  if (request.upgrade) {
    if (valuesOf(request.headers, 'connection').length === 0) fields.push('Connection', 'Upgrade')
    if (valuesOf(request.headers, 'upgrade').length === 0) fields.push('Upgrade', 'websocket')
  }
  const login = plan.route.proxy?.authorization
  if (plan.hop === 'absolute' && login !== undefined) fields.push('Proxy-Authorization', login)
  return fields
}

/** The request target as it stands on the wire: absolute towards a proxy, else the path. */
export function wireTarget(request: UpstreamRequest, plan: Plan): string {
  const path = request.splices === undefined ? request.path : splicePath(request)
  if (plan.hop !== 'absolute') return path
  return `${request.origin.scheme}://${authorityOf(request.origin)}${path}`
}

function expectsContinue(request: UpstreamRequest): boolean {
  const [value] = valuesOf(request.headers, 'expect')
  return request.body !== null && value?.toLowerCase() === '100-continue'
}

function wholeLength(values: readonly string[]): number {
  const [value = ''] = values
  if (values.length === 1 && /^\d{1,15}$/.test(value)) return Number(value)
  throw new TypeError(`content-length is \`${values.join(', ')}\`; send one whole number`)
}

/** All values of a field, in order; `name` is lower case. */
export function valuesOf(headers: RawHeaders, name: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const field = headers[at] as string
    if (field.length === name.length && field.toLowerCase() === name)
      values.push(headers[at + 1] as string)
  }
  return values
}
