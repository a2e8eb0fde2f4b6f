import { default as t } from 'tap'
import { createSecretReader } from '../../../adapters/keys/reader.ts'
import { readSecrets } from '../../../gateway/config/index.ts'
import { badConfig, goodConfig } from './_config.ts'

const UPSTREAMS = `
upstreams:
  - name: example
    hosts: [mcp.example.com]
    keys:
      - { name: plain, secret: { env: KEY }, header: authorization }
      - { name: hidden, secret: { env: KEY }, query: key }
  - name: other
    hosts: [other.example.com]
    keys:
      - { name: others, secret: { env: KEY }, header: x-key }
`

const server = (text: string) => `mcp_servers:\n  - { name: a, prefix: A, ${text} }\n${UPSTREAMS}`

t.test('servers of both kinds', async (t) => {
  const { mcpServers } = goodConfig(`mcp_servers:
  - name: tracker
    prefix: TRACKER
    url: https://MCP.example.com:443/mcp?x=1
    key: plain
    keep: hash
  - name: files
    prefix: FILES
    command: [npx, -y, server]
    env: { MODE: ro }
    secret_env: { TOKEN: { file: token } }
${UPSTREAMS}`)
  t.strictSame(mcpServers, [
    {
      name: 'tracker',
      prefix: 'TRACKER',
      keep: 'hash',
      way: {
        kind: 'url',
        url: 'https://mcp.example.com/mcp?x=1',
        origin: { scheme: 'https', host: 'mcp.example.com', port: 443 },
        key: 'plain',
      },
    },
    {
      name: 'files',
      prefix: 'FILES',
      keep: undefined,
      way: {
        kind: 'command',
        command: ['npx', '-y', 'server'],
        env: { MODE: 'ro' },
        secretEnv: { TOKEN: { file: '/etc/narrowgate/token' } },
      },
    },
  ])
})

t.test('what cannot be is told, with its place and its repair', async (t) => {
  const url = 'url: "https://mcp.example.com/mcp"'
  for (const [text, path, got] of [
    ['keep: hash', 'mcp_servers[0]', 'none of them'],
    [`${url}, command: [a]`, 'mcp_servers[0]', 'url and command'],
    [`${url}, env: { A: b }`, 'mcp_servers[0].env', 'env beside `url`'],
    ['command: [a], key: plain', 'mcp_servers[0].key', 'key beside `command`'],
    ['command: [a], args: [b]', 'mcp_servers[0].args', 'the unknown key `args`'],
    ['command: []', 'mcp_servers[0].command', 'a list of 0'],
    ['command: [a], env: { "A-B": c }', 'mcp_servers[0].env', '`A-B`'],
    ['command: [a], secret_env: { A: b }', 'mcp_servers[0].secret_env.A', /not shown/],
    [
      'command: [a], env: { A: b }, secret_env: { A: { env: C } }',
      'mcp_servers[0].env.A',
      'the same in secret_env',
    ],
    ['url: "ftp://mcp.example.com"', 'mcp_servers[0].url', /not shown/],
    ['url: "https://u:p@mcp.example.com"', 'mcp_servers[0].url', /not shown/],
    [`${url}, key: none`, 'mcp_servers[0].key', '`none`'],
    [`${url}, key: others`, 'mcp_servers[0].key', /bound to `other`/],
    [`${url}, key: hidden`, 'mcp_servers[0].key', /stands in no field of the head/],
  ] as const)
    t.match(badConfig(server(text)), [{ path, got }], text)
  for (const [one, other] of [
    ['FILES', 'FILES'],
    ['FILES', 'FILES_A'],
    ['FILES_A', 'FILES'],
    ['A', 'HTTP'],
    ['A', 'STORE_A'],
  ] as const) {
    const text = `mcp_servers:
  - { name: a, prefix: ${one}, command: [a] }
  - { name: b, prefix: ${other}, command: [a] }`
    t.match(badConfig(text), [{ path: 'mcp_servers[1].prefix', got: /which meets/ }], other)
  }
  t.ok(goodConfig(server('command: [a]').replace('A,', 'HTTPS,')))
  const twice =
    'mcp_servers: [{ name: a, prefix: A, command: [a] }, { name: a, prefix: B, command: [a] }]'
  t.match(badConfig(twice), [{ path: 'mcp_servers[1].name', got: '`a` a second time' }])
})

t.test('a variable is as long as a key', async (t) => {
  const config = goodConfig(server('command: [a], secret_env: { A: { env: SHORT } }'))
  const env = { SHORT: 'short', KEY: 'k'.repeat(16) }
  const read = await readSecrets(config, createSecretReader({ env, baseFolder: '/' }))
  const path = 'mcp_servers[0].secret_env.A'
  t.match(read, { ok: false, problems: [{ path, got: 'a secret of 5 bytes' }] })
})
