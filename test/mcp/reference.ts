import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { text } from 'node:stream/consumers'
import {
  isInitializeRequest,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
  type EventStore,
} from '@modelcontextprotocol/server'
import { createReference } from './reference-server.ts'

/** A server of the official SDK that does all that its conformance suite asks for, with a session for each client. */
export interface Reference {
  serve(req: IncomingMessage, res: ServerResponse): Promise<void>
  close(): Promise<void>
}

export function openReference(): Reference {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

  const newSession = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      retryInterval: 50,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await createReference().connect(transport)
    return transport
  }

  return {
    async serve(req, res) {
      const origin = validateOriginHeader(req.headers.origin, ['localhost', '127.0.0.1'])
      if (!origin.ok) return void res.writeHead(403).end('{}')
      const body: unknown = req.method === 'POST' ? JSON.parse(await text(req)) : undefined
      const session = req.headers['mcp-session-id']
      const known = typeof session === 'string' ? sessions.get(session) : undefined
      if (known === undefined && !isInitializeRequest(body))
        return void res.writeHead(404).end('{}')
      const transport = known ?? (await newSession())
      const options = body === undefined ? {} : { parsedBody: body }
      await write(await transport.handleRequest(requestOf(req), options), res)
    },
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()))
    },
  }
}

function requestOf(req: IncomingMessage): Request {
  const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)] as const)
  return new Request('http://127.0.0.1/mcp', {
    method: req.method ?? 'GET',
    headers: Object.fromEntries(headers),
  })
}

async function write(response: Response, res: ServerResponse): Promise<void> {
  res.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body === null) return void res.end()
  res.flushHeaders()
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
  res.once('close', () => body.destroy())
  body.on('error', () => res.destroy()).pipe(res)
}

/** Keeps what was sent, so that a stream that broke off can be taken up again. */
function createEventStore(): EventStore {
  const events: { readonly id: string; readonly stream: string; readonly message: object }[] = []
  return {
    async storeEvent(stream, message) {
      const id = `${stream}/${events.length}`
      events.push({ id, stream, message })
      return id
    },
    async getStreamIdForEventId(id) {
      return events.find((event) => event.id === id)?.stream
    },
    async replayEventsAfter(last, { send }) {
      const at = events.findIndex(({ id }) => id === last)
      const stream = events[at]?.stream ?? ''
      for (const { id, message, ...event } of events.slice(at + 1))
        if (event.stream === stream && Object.keys(message).length > 0)
          await send(id, message as Parameters<typeof send>[1])
      return stream
    },
  }
}
