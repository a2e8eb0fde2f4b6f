import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server'

/** One HTTP request as the SDK reads it. */
export interface Asked {
  readonly request: Request
  readonly body: unknown
  /** Whether an answer may come as a stream of events; else it is one JSON text. */
  readonly streams: boolean
  /** The server for it, made when it is known that one is needed. */
  readonly server: () => Server
}

/** An answer, and where it is a stream that stays open, what can be done with it. */
export interface Served {
  readonly response: Response
  readonly stream?: ServedStream
}

export interface ServedStream {
  /** Tells the client that its list of tools is another now. */
  changed(): void
  end(): void
}

/**
 * Serves one message by either revision of the protocol. Nothing is kept between two requests: the revision of 2026 has no
 * sessions, and those before may go without.
 */
export async function serveMessage(asked: Asked): Promise<Served> {
  const { request, body, server } = asked
  if (await isLegacyRequest(request, body)) return serveLegacy(asked)
  const handler = createMcpHandler(server, { legacy: 'reject', maxSubscriptions: 1 })
  const response = await handler.fetch(request, { parsedBody: body })
  if (methodOf(body) !== 'subscriptions/listen') return { response }
  const stream = {
    changed: () => handler.notify.toolsChanged(),
    end: () => void handler.close(),
  }
  return { response, stream }
}

/** The stream of notifications that clients of revisions before that of 2026 ask for by GET. */
export async function serveNotifications({
  request,
  server,
}: Pick<Asked, 'request' | 'server'>): Promise<Served> {
  const transport = new WebStandardStreamableHTTPServerTransport()
  const connected = server()
  await connected.connect(transport)
  const response = await transport.handleRequest(request)
  const stream = {
    // Who does not listen any more need not be told.
    changed: () => void connected.sendToolListChanged().catch(() => {}),
    end: () => void transport.close(),
  }
  return response.ok ? { response, stream } : { response }
}

/** A call may take long: where it can, its answer is a stream, which is kept alive. */
async function serveLegacy({ request, body, streams, server }: Asked): Promise<Served> {
  const enableJsonResponse = !streams || methodOf(body) !== 'tools/call'
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse })
  await server().connect(transport)
  return { response: await transport.handleRequest(request, { parsedBody: body }) }
}

function methodOf(body: unknown): unknown {
  return (body as { readonly method?: unknown } | null)?.method
}
