import type { IncomingMessage, ServerResponse } from 'node:http'

/** One upstream service, chosen by the Host header. */
export interface Site {
  /** Its host's first label: `api` is served as `api.ng.test`. */
  readonly name: string
  readonly handle: (call: Call) => void | Promise<void>
}

/** One request as a site sees it. */
export interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
}

/** The whole body. Sites are for tests: their bodies fit into memory unless they stream. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  const body = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

export function sendBytes(response: ServerResponse, type: string, body: Buffer | string): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

export function sendNothingHere(response: ServerResponse): void {
  sendJson(response, { message: 'Not Found' }, 404)
}

/** Server-sent events, one every `gapMs`, so that a client can tell a stream from a heap. */
export async function sendEvents(
  response: ServerResponse,
  events: readonly string[],
  gapMs: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  for (const event of events) {
    if (response.destroyed) return
    response.write(event)
    await new Promise((resolve) => setTimeout(resolve, gapMs))
  }
  response.end()
}
