import { writtenJson } from '../written-json.ts'
import { postScript, shell } from './posted.ts'
import type { WayTable } from './types.ts'

/** Ways over the Model Context Protocol: a message, and how clients are told of the gateway. */
export const MODELS: WayTable<'mcp' | 'mcp_stdio' | 'claude_code'> = {
  mcp: {
    door: '/g/mcp',
    write: ({ tool, args, gateway }) => {
      const params = { name: tool.name, arguments: args }
      const body = writtenJson({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      const accept = 'application/json, text/event-stream'
      return shell(postScript(gateway, { path: `/g/${gateway.token}/mcp`, body, accept }))
    },
  },
  mcp_stdio: {
    door: '/g/mcp',
    write: ({ gateway: { base, token } }) => {
      const env = { NARROWGATE_GATEWAY: base, NARROWGATE_TOKEN: token }
      const servers = { narrowgate: { command: 'narrowgate', args: ['mcp'], env } }
      return {
        language: 'json',
        runs_with: 'an MCP client that starts servers by itself',
        text: `${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`,
      }
    },
  },
  claude_code: {
    door: '/g/mcp',
    write: ({ gateway: { base, token } }) =>
      shell(
        `claude mcp add --transport http narrowgate "${base}/g/mcp" --header "Authorization: Bearer ${token}"\n`,
      ),
  },
}
