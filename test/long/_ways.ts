import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { spawn, spawnSync } from 'node:child_process'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { EventSource } from 'eventsource'
import { createClient } from 'graphql-http'
import { eventually, type TestGateway } from '../helpers/gateway.ts'
import { readRecords } from '../helpers/records.ts'
import { script, type Desk, type Ended, type WayText } from '../flow/_ways.ts'
import type { Test } from 'tap'

type Args = Readonly<Record<string, unknown>>

/** A call that another program than the text's own language makes of it. */
export interface Called {
  readonly tool: string
  readonly args: Args
}

const done = (out: unknown): Ended => ({ code: 0, out: JSON.stringify(out), err: '' })

type Transport = StreamableHTTPClientTransport | StdioClientTransport

async function overMcp(transport: Transport, { tool, args }: Called): Promise<Ended> {
  const client = new Client({ name: 'ways', version: '1' })
  await client.connect(transport)
  try {
    return done(await client.callTool({ name: tool, arguments: args }))
  } finally {
    await client.close()
  }
}

/** An MCP client over HTTP, at a link or with a token of its own. */
export function byMcp(url: string, called: Called, token?: string): Promise<Ended> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  return overMcp(transport, called)
}

interface ServerConfig {
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
}

/** An MCP client that is given the configuration and starts the server in it. */
export function byStdio(desk: Desk, { text }: WayText, called: Called): Promise<Ended> {
  const { mcpServers } = JSON.parse(text) as { mcpServers: { narrowgate: ServerConfig } }
  const { command, args, env } = mcpServers.narrowgate
  const path = { PATH: `${desk.bin}:${process.env['PATH']}`, HOME: desk.folder }
  return overMcp(new StdioClientTransport({ command, args, env: { ...path, ...env } }), called)
}

/** The command, taken by a program of this name that does with it what it says: connects, and calls. */
export async function byClaude(desk: Desk, way: WayText, called: Called): Promise<Ended> {
  const said = join(desk.folder, 'claude.args')
  script(desk.bin, 'claude', `printf '%s\\0' "$@" > '${said}'`)
  const { code } = await desk.run('sh', [desk.file('claude.sh', way.text)])
  const words = readFileSync(said, 'utf8').split('\0').slice(0, -1)
  const [, , , , , url = '', , header = ''] = words
  const expected = ['mcp', 'add', '--transport', 'http', 'narrowgate', url, '--header', header]
  if (code !== 0 || words.join() !== expected.join()) throw new Error(words.join(' '))
  return byMcp(url, called, header.replace('Authorization: Bearer ', ''))
}

/** What a program sees as its text that is posted: the lines between the marks. */
export function postedIn({ text }: WayText): { readonly url: string; readonly body: string } {
  const [, url = '', body = ''] = /"([^"]+)" <<'end'\n(.*)\nend\n$/s.exec(text) ?? []
  return { url, body }
}

/** A GraphQL client, given the document of the text. */
export function byGraphql(way: WayText, token: string): Promise<Ended> {
  const { url, body } = postedIn(way)
  const client = createClient({ url, headers: { authorization: `Bearer ${token}` } })
  const { query, variables } = JSON.parse(body) as { query: string; variables: Args }
  return new Promise((resolve, reject) => {
    client.subscribe(
      { query, variables },
      { next: (result) => resolve(done(result)), error: reject, complete: () => {} },
    )
  })
}

/** A browser's client of server-sent events. */
export function byEvents({ text }: WayText): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const source = new EventSource(text)
    source.addEventListener('answer', ({ data }) => {
      source.close()
      resolve({ code: 0, out: String(data), err: '' })
    })
    source.addEventListener('error', ({ message }) => {
      source.close()
      reject(new Error(message))
    })
  })
}

interface Items {
  readonly Value: {
    readonly WFDictionaryFieldValueItems: readonly {
      readonly WFItemType: number
      readonly WFKey: TextToken
      readonly WFValue: TextToken
    }[]
  }
}
interface TextToken {
  readonly Value: { readonly string: string }
}

/** The request that an action of Apple Shortcuts says, made as it says. */
export async function byShortcut({ text }: WayText): Promise<Ended> {
  const action = JSON.parse(text) as {
    readonly WFWorkflowActionIdentifier: string
    readonly WFWorkflowActionParameters: {
      readonly WFURL: string
      readonly WFHTTPMethod: string
      readonly WFHTTPBodyType: string
      readonly WFHTTPHeaders: Items
      readonly WFJSONValues: Items
    }
  }
  if (action.WFWorkflowActionIdentifier !== 'is.workflow.actions.downloadurl')
    throw new Error('another action')
  const { WFURL, WFHTTPMethod, WFHTTPBodyType, WFHTTPHeaders, WFJSONValues } =
    action.WFWorkflowActionParameters
  if (WFHTTPBodyType !== 'JSON') throw new Error(WFHTTPBodyType)
  const answer = await fetch(WFURL, {
    method: WFHTTPMethod,
    headers: { ...textsIn(WFHTTPHeaders), 'content-type': 'application/json' },
    body: JSON.stringify(textsIn(WFJSONValues)),
  })
  return { code: answer.ok ? 0 : 1, out: await answer.text(), err: '' }
}

function textsIn({ Value }: Items): Record<string, string> {
  return Object.fromEntries(
    Value.WFDictionaryFieldValueItems.map(({ WFItemType, WFKey, WFValue }) => {
      if (WFItemType !== 0) throw new Error('no text')
      return [WFKey.Value.string, WFValue.Value.string]
    }),
  )
}

/** A second state with the same build key, for a program that starts its own gateway on this configuration. */
export function prepareDirect(desk: Desk, { state, configFile }: TestGateway): string {
  const own = join(desk.folder, 'state')
  mkdirSync(own, { mode: 0o700 })
  writeFileSync(join(own, 'build.key'), readFileSync(join(state, 'build.key')), { mode: 0o600 })
  for (const name of ['narrowgate.yaml', 'catalog.yaml'])
    writeFileSync(join(desk.folder, name), readFileSync(join(configFile, '..', name)))
  return own
}

/** How many calls of a tool that state has on record. */
export function recordedIn(state: string, tool: string): number {
  return readRecords(state).filter((record) => record['tool'] === tool).length
}

const SSHD = '/usr/sbin/sshd'

/** Why there can be no sshd; undefined where there is one. */
export const noSshd = existsSync(SSHD) ? undefined : `there is no ${SSHD}`

/**
 * A machine of its own behind `ssh`: an sshd on loopback that takes one key, for the user that runs this. The desk's `ssh` knows it by
 * this name.
 */
export async function openMachine(t: Test, desk: Desk, name: string): Promise<void> {
  const at = (file: string) => join(desk.folder, file)
  for (const key of ['host', 'user'])
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)])
  writeFileSync(at('authorized'), readFileSync(at('user.pub')), { mode: 0o600 })
  const port = await freePort()
  const lines = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('authorized')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    `PidFile ${at('sshd.pid')}`,
    `SetEnv PATH=${desk.bin}:${process.env['PATH']}`,
    'PermitRootLogin prohibit-password',
  ]
  writeFileSync(at('sshd_config'), lines.join('\n'))
  // Where root starts it, it wants a folder of its own.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const daemon = spawn(SSHD, ['-D', '-e', '-f', at('sshd_config')])
  let said = ''
  daemon.stderr.on('data', (piece: Buffer) => (said += piece.toString()))
  t.teardown(() => daemon.kill())
  const client = [
    `Host ${name}`,
    'HostName 127.0.0.1',
    `Port ${port}`,
    `IdentityFile ${at('user')}`,
    'IdentitiesOnly yes',
    'StrictHostKeyChecking no',
    `UserKnownHostsFile ${at('known')}`,
    'LogLevel ERROR',
  ]
  writeFileSync(at('ssh_config'), client.join('\n'), { mode: 0o600 })
  script(desk.bin, 'ssh', `exec /usr/bin/ssh -F '${at('ssh_config')}' "$@"`)
  await eventually(async () => said.includes('Server listening') || daemon.exitCode !== null)
  if (daemon.exitCode !== null) throw new Error(said)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
