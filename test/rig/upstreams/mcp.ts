import { randomUUID } from 'node:crypto'
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { sendNothingHere } from './site.ts'
import type { Site } from './site.ts'
import { WORD_GAP_MS, WORDS } from './words.ts'

/** A server of the Model Context Protocol with one tool, `say`, that tells its progress word by word. */
export function createMcp(): Site {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return {
    name: 'mcp',
    async handle({ request, response, url }) {
      if (url.pathname !== '/mcp') return sendNothingHere(response)
      const id = String(request.headers['mcp-session-id'] ?? '')
      const transport = sessions.get(id) ?? (await openSession(sessions))
      await transport.handleRequest(request, response)
    },
  }
}

/** The library is loaded with the first session: most rigs have none. */
async function openSession(
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
  const streamable = await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
  const transport = new streamable.StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  const server = new McpServer({ name: 'rig', version: '1.0.0' })
  server.registerTool('say', { description: 'says it' }, async ({ _meta, sendNotification }) => {
    for (const [at, message] of WORDS.entries()) {
      const progressToken = _meta?.progressToken ?? ''
      const params = { progressToken, progress: at + 1, total: WORDS.length, message }
      await sendNotification({ method: 'notifications/progress', params })
      await new Promise((resolve) => setTimeout(resolve, WORD_GAP_MS))
    }
    return { content: [{ type: 'text', text: WORDS.join('') }] }
  })
  await server.connect(transport as Parameters<typeof server.connect>[0])
  return transport
}
