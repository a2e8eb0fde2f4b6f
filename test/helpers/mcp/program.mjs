// A server of tools over standard input and output, by the first version of the official library.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const PAGE = 60
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const any = { type: 'object', properties: { n: { type: 'integer' } } }
const hints = { readOnlyHint: true }

let extra = false
const running = new Map()

const TOOLS = {
  read: { inputSchema: path, annotations: hints, run: ({ path: name }) => text(`of ${name}`) },
  env: { inputSchema: any, run: () => text(JSON.stringify(process.env)) },
  pid: { inputSchema: any, run: () => text(String(process.pid)) },
  structured: {
    inputSchema: any,
    run: ({ n = 1 }) => ({ ...text('told'), structuredContent: { rows: [{ id: n }, { id: 2 }] } }),
  },
  fails: { inputSchema: any, run: () => ({ ...text('no such thing'), isError: true }) },
  dies: { inputSchema: any, run: () => process.exit(3) },
  says: {
    inputSchema: any,
    run: () => {
      process.stderr.write(`the token is ${process.env.TOKEN}\n`)
      return text('said')
    },
  },
  toggles: {
    inputSchema: any,
    async run() {
      extra = !extra
      await server.sendToolListChanged()
      return text(`{"extra":${extra}}`)
    },
  },
  waits: {
    inputSchema: any,
    run: (_, { signal, requestId }) =>
      new Promise((resolve) => {
        running.set(requestId, 'running')
        signal.addEventListener('abort', () => {
          running.set(requestId, 'cancelled')
          resolve(text('cancelled'))
        })
      }),
  },
  waited: { inputSchema: any, run: () => text(JSON.stringify([...running.values()])) },
}

const listed = () => [
  ...Object.entries(TOOLS).map(([name, { inputSchema, annotations }]) => ({
    name,
    description: name === 'env' ? `with ${process.env.TOKEN}` : `${name} something`,
    inputSchema,
    annotations,
  })),
  ...Array.from({ length: 250 }, (_, at) => ({ name: `page-${at}`, inputSchema: any })),
  ...(extra ? [{ name: 'extra', inputSchema: any }] : []),
]

const server = new Server(
  { name: 'program', version: '1' },
  { capabilities: { tools: { listChanged: true } } },
)
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
  const from = Number(params?.cursor ?? 0)
  const next = from + PAGE
  return {
    tools: listed().slice(from, next),
    ...(next < listed().length && { nextCursor: String(next) }),
  }
})
server.setRequestHandler(CallToolRequestSchema, ({ params }, around) => {
  const tool = TOOLS[params.name]
  return tool === undefined
    ? text(`page of ${params.name}`)
    : tool.run(params.arguments ?? {}, around)
})
await server.connect(new StdioServerTransport())
