import type { IncomingMessage, ServerResponse } from 'node:http'
import { problemDocument, refusal, type Refusal } from './refusal.ts'

/**
 * The doors of the proxy's port that need no token: health, for whoever watches over the process. They tell nothing
 * but whether it serves, so that any address may ask, under any name.
 */
export function createHolder(
  notReady: () => readonly string[],
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
    if (path !== '/readyz') {
      const repair = 'use /healthz or /readyz here'
      return send(response, refusal('not_found', 'path', { got: String(path), repair }))
    }
    const missing = notReady()
    if (missing.length === 0) return sendJson(response, 200, { ready: true })
    const repair = 'see the gateway’s log, or ask /readyz on the owner’s address'
    send(response, refusal('not_ready', 'gateway', { got: missing.join(', '), repair }))
  }
}

function send(response: ServerResponse, refused: Refusal): void {
  const { status, code } = refused
  response.setHeader('refused', code)
  const document = problemDocument(refused, { status, ran: false, receipt: undefined })
  sendJson(response, status, document, 'application/problem+json')
}

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
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}
