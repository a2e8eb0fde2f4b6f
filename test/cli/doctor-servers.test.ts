import { default as t } from 'tap'
import { checkServers } from '../../cli/doctor/servers.ts'
import type { Offline } from '../../gateway/offline.ts'
import { parseConfig } from '../../gateway/config/index.ts'

t.test('programs of MCP servers are looked for, and not started', async (t) => {
  const text = `mcp_servers:
  - { name: found, prefix: A, command: [${process.execPath}] }
  - { name: on-path, prefix: B, command: [sh, -c, "exit 1"] }
  - { name: missing, prefix: C, command: [no-such-program] }
  - { name: other-path, prefix: D, command: [sh], env: { PATH: /no/such } }
  - { name: relative, prefix: E, command: [./no-such-program] }
  - { name: far, prefix: F, url: "https://mcp.example.com/" }`
  const loaded = parseConfig(text, { base: '/', env: { HOME: '/' } })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const { PATH } = process.env
  const place = { config: loaded.config } as Offline
  t.strictSame(
    checkServers(place, { env: { PATH }, cwd: '/' }).map(({ subject, result }) => [
      subject,
      result,
    ]),
    [
      ['MCP server found', 'ok'],
      ['MCP server on-path', 'ok'],
      ['MCP server missing', 'failed'],
      ['MCP server other-path', 'failed'],
      ['MCP server relative', 'failed'],
    ],
  )
})
