import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RawHeaders } from '../adapters/upstream/port.ts'
import type { HolderReceipts } from './holder-receipts.ts'
import { problemDocument, Refusal, refusal } from './refusal.ts'

/**
 * The gateway's own doors on the proxy's port. Health needs no token: it tells nothing but whether the process serves,
 * so that any address may ask, under any name. Receipts are for holders of tokens.
 */
export function createHolder(
  notReady: () => readonly string[],
  receipts: HolderReceipts,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const repair = 'use GET'
      return send(
        response,
        refusal('method_not_allowed', 'method', { got: String(request.method), repair }),
      )
    }
    const path = request.url?.split('?', 1)[0]
    if (path === '/healthz') return sendJson(response, 200, { ok: true })
    if (path?.startsWith('/ledger/exchanges/') === true) {
      void receipts(request).then(
        ({ headers, body }) => sendBody(response, headers, body),
        (error: unknown) => send(response, asRefusal(error)),
      )
      return
    }
    if (path !== '/readyz') {
      const repair = 'use /healthz, /readyz or /ledger/exchanges/<id>.json here'
      return send(response, refusal('not_found', 'path', { got: String(path), repair }))
    }
    const missing = notReady()
    if (missing.length === 0) return sendJson(response, 200, { ready: true })
    const repair = 'see the gateway’s log, or ask /readyz on the owner’s address'
    send(response, refusal('not_ready', 'gateway', { got: missing.join(', '), repair }))
  }
}

function send(response: ServerResponse, refused: Refusal): void {
  const { status, code, retryAfter } = refused
  response.setHeader('refused', code)
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  if (status === 401) response.setHeader('www-authenticate', 'Bearer realm="narrowgate"')
  const document = problemDocument(refused, { status, ran: false, receipt: undefined })
  sendJson(response, status, document, 'application/problem+json')
}

/** The text of an error that is no refusal may tell of inner things. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const repair = 'see the gateway’s log'
  return refusal('internal_error', 'gateway', { got: 'a fault', repair })
}

function sendBody(response: ServerResponse, headers: RawHeaders, body: Buffer): void {
  for (let at = 0; at + 1 < headers.length; at += 2)
    response.setHeader(headers[at] ?? '', headers[at + 1] ?? '')
  response.writeHead(200, { 'content-length': body.length, ...SAFE })
  response.end(body)
}

/** Nothing of it is to be kept, or taken for a page. */
const SAFE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

function sendJson(
  response: ServerResponse,
  status: number,
  value: object,
  type = 'application/json',
): void {
  const body = `${JSON.stringify(value)}\n`
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...SAFE,
  })
  response.end(body)
}
