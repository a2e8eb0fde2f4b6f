import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { DoorAround } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { getHeader } from '../wire/headers.ts'

/** Fields that the protocol looks at; the token is in none of them. */
const PASSED = /^(?:content-type|last-event-id|mcp-.+)$/i
const STREAM = 'text/event-stream'

/** The knock as a request of the web platform, without its body. The address is nobody’s: it could hold the token. */
export function requestOf(knock: Knock): Request {
  const { method, headers, signal } = knock
  const fields = new Headers()
  for (let at = 0; at + 1 < headers.length; at += 2)
    if (PASSED.test(headers[at]!)) fields.append(headers[at]!, headers[at + 1]!)
  // What is answered is what the client takes; a client that names but one of the two is served as well.
  const accept =
    method === 'GET' ? (getHeader(headers, 'accept') ?? '') : `application/json, ${STREAM}`
  fields.set('accept', accept)
  const gone = new AbortController()
  signal.addEventListener('abort', () => gone.abort())
  if (signal.aborted) gone.abort()
  return new Request('http://gateway.invalid/mcp', { method, headers: fields, signal: gone.signal })
}

/** Whether the client takes a stream of events. */
export function acceptsStream({ headers }: Knock): boolean {
  return (getHeader(headers, 'accept') ?? '').includes(STREAM)
}

/** Fields of the connection, and those that the door writes itself. */
const DROPPED: readonly string[] = ['connection', 'content-length', 'cache-control']

/** A response of the web platform as a reply, with the head of the ledger. */
export async function replyOf(
  response: Response,
  { head, headers: names }: Pick<DoorAround, 'head' | 'headers'>,
): Promise<Reply> {
  const fields = [...response.headers].filter(([name]) => !DROPPED.includes(name)).flat()
  const headers = [...fields, 'cache-control', 'no-store', names.head, head().hash]
  const { status, body } = response
  if (body === null) return { status, headers, body: null }
  if (response.headers.get('content-type')?.startsWith(STREAM) !== true)
    return { status, headers, body: Buffer.from(await response.arrayBuffer()) }
  return { status, headers, body: Readable.fromWeb(body as ReadableStream<Uint8Array>) }
}
