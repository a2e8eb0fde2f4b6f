/** Calls a tool of an MCP server that tells its progress; prints what was heard, and when. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'

setGlobalDispatcher(new EnvHttpProxyAgent())
const transport = new StreamableHTTPClientTransport(new URL('https://mcp.ng.test/mcp'))
const client = new Client({ name: 'rig', version: '1.0.0' })
await client.connect(transport as Parameters<typeof client.connect>[0])
const heard = { text: '', times: [] as number[] }
await client.callTool({ name: 'say' }, undefined, {
  onprogress: ({ message }) => {
    heard.text += message
    heard.times.push(performance.now())
  },
})
await transport.terminateSession()
await client.close()
process.stdout.write(JSON.stringify(heard))
