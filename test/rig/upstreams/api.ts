import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { readBody, sendEvents, sendJson, sendNothingHere } from './site.ts'
import type { Call, Site } from './site.ts'

/** What `GET /rows` answers. */
export const ROWS = [
  { number: 1, title: 'first', user: { login: 'ada' }, note: 'cut me away' },
  { number: 2, title: 'second', user: { login: 'bob' }, note: 'cut me away' },
  { number: 3, title: 'third', user: { login: 'cleo' }, note: 'cut me away' },
] as const

const BLOCK = Buffer.alloc(64 * 1024, 'narrowgate ')

/** A JSON API of no particular kind. */
export const api: Site = {
  name: 'api',
  handle(call) {
    const { response, url } = call
    switch (url.pathname) {
      case '/rows':
        return sendJson(response, ROWS)
      case '/echo':
        return echo(call)
      case '/events':
        return sendEvents(response, eventsOf(url), numberOf(url, 'gap', 100))
      case '/bytes':
        return sendBlock(call, numberOf(url, 'count', 1024))
      case '/digest':
        return digest(call)
      case '/trailers':
        return trailers(call)
      case '/redirect':
        return void response
          .writeHead(302, { location: url.searchParams.get('to') ?? '/rows' })
          .end()
      default:
        return sendNothingHere(response)
    }
  },
}

function numberOf(url: URL, name: string, otherwise: number): number {
  const text = url.searchParams.get(name)
  return text === null ? otherwise : Number(text)
}

function eventsOf(url: URL): string[] {
  const count = numberOf(url, 'count', 5)
  return Array.from({ length: count }, (_, n) => `data: {"event":${n}}\n\n`)
}

/** Gives back all that arrived, the injected key included: what a gateway must not let through. */
async function echo({ request, response, url }: Call): Promise<void> {
  const body = (await readBody(request)).toString()
  sendJson(response, {
    method: request.method,
    path: url.pathname + url.search,
    headers: request.headers,
    body,
  })
}

/** As many bytes as asked for, from constant memory. */
function sendBlock({ response }: Call, count: number): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': count })
  Readable.from(blocks(count)).pipe(response)
}

function* blocks(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= BLOCK.length) {
    yield left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK
  }
}

/** Takes any amount of bytes and answers with their number and hash. */
async function digest({ request, response }: Call): Promise<void> {
  sendJson(response, await measure(request))
}

/** Tells of the trailer that came, and has the hash of the body in its own. */
async function trailers({ request, response }: Call): Promise<void> {
  const { sha256 } = await measure(request)
  response.writeHead(200, { 'content-type': 'application/json', trailer: 'x-sum' })
  response.write(JSON.stringify(request.trailers))
  response.addTrailers({ 'x-sum': sha256 })
  response.end()
}

async function measure(body: AsyncIterable<unknown>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of body) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}
