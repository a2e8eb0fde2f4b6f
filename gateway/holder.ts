import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RawHeaders } from '../adapters/upstream/port.ts'
import type { HeaderNames } from './config/types.ts'
import { isPreflight, preflightFields, sharedFields } from './cors.ts'
import type { HolderReceipts } from './holder-receipts.ts'
import { problemDocument, Refusal, refusal, refusalFields } from './refusal.ts'
import { maskTokens } from './wire/tokens.ts'

/** What the holder doors need from outside. */
interface HolderPorts {
  readonly notReady: () => readonly string[]
  readonly receipts: HolderReceipts
  /** Names of our own fields, as they are in force now. */
  readonly names: () => HeaderNames
  /** The field with the head of the ledger, its name and its value. */
  readonly headField: () => RawHeaders
}

/**
 * The gateway's own doors on the proxy's port. Health needs no token: it tells nothing but whether the process serves,
 * so that any address may ask, under any name. Receipts are for holders of tokens.
 */
export function createHolder({
  notReady,
  receipts,
  names,
  headField,
}: HolderPorts): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const refuse = (refused: Refusal) => send(response, refused, names().refused)
    const path = request.url?.split('?', 1)[0]
    if (isShared(path)) {
      if (isPreflight(String(request.method), request.rawHeaders)) {
        setFields(response, preflightFields(names()))
        return void response.writeHead(204).end()
      }
      setFields(response, sharedFields(names()))
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const repair = 'use GET'
      return refuse(
        refusal('method_not_allowed', 'method', { got: String(request.method), repair }),
      )
    }
    if (path === '/healthz') return sendJson(response, 200, { ok: true })
    if (path?.startsWith('/ledger/exchanges/') === true) {
      void receipts(request)
        .finally(() => setFields(response, headField()))
        .then(
          ({ headers, body }) => sendBody(response, headers, body),
          (error: unknown) => refuse(asRefusal(error)),
        )
      return
    }
    if (path !== '/readyz') {
      const repair = 'use /healthz, /readyz or /ledger/exchanges/<id>.json here'
      // A link that is written wrong still has its token in it.
      return refuse(refusal('not_found', 'path', { got: maskTokens(String(path)), repair }))
    }
    const missing = notReady()
    if (missing.length === 0) return sendJson(response, 200, { ready: true })
    const repair = 'see the gateway’s log, or ask /readyz on the owner’s address'
    refuse(refusal('not_ready', 'gateway', { got: missing.join(', '), repair }))
  }
}

/** Health is for probes; pages of any origin may use what takes a token. */
function isShared(path = ''): boolean {
  return path.startsWith('/ledger/exchanges/') || path.startsWith('/g/')
}

function send(response: ServerResponse, refused: Refusal, name: string): void {
  const { status } = refused
  setFields(response, refusalFields(refused, name))
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
  setFields(response, headers)
  response.writeHead(200, { 'content-length': body.length, ...SAFE })
  response.end(body)
}

function setFields(response: ServerResponse, fields: RawHeaders): void {
  for (let at = 0; at + 1 < fields.length; at += 2)
    response.setHeader(fields[at] ?? '', fields[at + 1] ?? '')
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
