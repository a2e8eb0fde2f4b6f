import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import type { Test } from 'tap'

/** A server of tools over Streamable HTTP, by the second version of the official library. */
export interface HttpServer {
  readonly port: number
  /** Requests that came without the key. */
  refused(): number
  /** Calls that reached a tool. */
  calls(): readonly string[]
  /** Lists these from now on, and says so. */
  list(names: readonly string[]): void
  /** Lets nobody in any longer. */
  stop(): Promise<void>
  /** Serves at the same port again. */
  start(): Promise<void>
}

/** Serves until the test ends; whoever has not this value of Authorization is not let in. */
export async function openHttpServer(t: Test, authorization: string): Promise<HttpServer> {
  let refused = 0
  let names: readonly string[] = ['whoami', 'no json']
  const calls: string[] = []
  const handler = createMcpHandler(() => {
    const server = new Server(
      { name: 'http', version: '2' },
      { capabilities: { tools: { listChanged: true } } },
    )
    server.setRequestHandler('tools/list', () => ({
      tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
    }))
    server.setRequestHandler('tools/call', ({ params }) => {
      calls.push(params.name)
      const text = params.name === 'whoami' ? authorization : 'plain words'
      return { content: [{ type: 'text', text }] }
    })
    return server
  })
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.headers.authorization !== authorization) {
      refused++
      res.writeHead(401).end()
      return
    }
    const response = await handler.fetch(requestOf(req))
    res.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body === null) res.end()
    else Readable.fromWeb(response.body as never).pipe(res)
  }
  const http = createServer((req, res) => void answer(req, res))
  const start = (at: number) =>
    new Promise<void>((resolve) => http.listen(at, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      http.close(() => resolve())
      http.closeAllConnections()
    })
  await start(0)
  const { port } = http.address() as AddressInfo
  t.teardown(async () => {
    await handler.close()
    await stop()
  })
  return {
    port,
    stop,
    start: () => start(port),
    refused: () => refused,
    calls: () => calls,
    list(next) {
      names = next
      handler.notify.toolsChanged()
    },
  }
}

function requestOf(req: IncomingMessage): Request {
  const controller = new AbortController()
  req.once('close', () => {
    if (!req.complete) controller.abort()
  })
  const { method = 'GET', url = '/' } = req
  const headers = new Headers(req.headers as Record<string, string>)
  const body = method === 'POST' ? { body: Readable.toWeb(req) as never, duplex: 'half' } : {}
  return new Request(`http://localhost${url}`, { method, headers, ...body } as RequestInit)
}
