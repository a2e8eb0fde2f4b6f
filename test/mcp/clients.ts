import { fileURLToPath } from 'node:url'
import {
  Client as ClientTwo,
  StreamableHTTPClientTransport as HttpTwo,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioTwo } from '@modelcontextprotocol/client/stdio'
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioOne } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpOne } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport as TransportOne } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const ME = { name: 'test', version: '1' }

/** What came of a call, as far as tests look at it. */
export interface Result {
  readonly isError?: boolean | undefined
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: unknown
  readonly _meta?: Readonly<Record<string, unknown>> | undefined
}

/** A real client with a connection. */
export interface Connected {
  list(): Promise<readonly string[]>
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Result>
  /** Calls back at news of the list; resolves once the client listens. */
  onNews(heard: () => void): Promise<void>
  close(): Promise<void>
}

/** Where a client is to go, and with what. */
export interface Goal {
  readonly port: number
  readonly token: string
}

export type Kind = keyof typeof CLIENTS

const door = ({ port }: Goal) => new URL(`http://127.0.0.1:${port}/g/mcp`)
const link = ({ port, token }: Goal) => new URL(`http://127.0.0.1:${port}/g/${token}/mcp`)
const bearer = ({ token }: Goal) => ({
  requestInit: { headers: { authorization: `Bearer ${token}` } },
})
const bridge = ({ port, token }: Goal) => ({
  command: process.execPath,
  args: [MAIN, 'mcp', '--gateway', `http://127.0.0.1:${port}`],
  env: { NARROWGATE_TOKEN: token, PATH: process.env['PATH'] ?? '' },
  stderr: 'ignore' as const,
})

/** The clients of both lines of the SDK, over HTTP with the token in a field or in the path, and through the bridge. */
export const CLIENTS = {
  'version 1, HTTP': (goal: Goal) => one(new HttpOne(door(goal), bearer(goal))),
  'version 1, token in the path': (goal: Goal) => one(new HttpOne(link(goal))),
  'version 1, bridge': (goal: Goal) => one(new StdioOne(bridge(goal))),
  'version 2, HTTP': (goal: Goal) => two(new HttpTwo(door(goal), bearer(goal)), 'auto'),
  'version 2 as of 2025, HTTP': (goal: Goal) =>
    two(new HttpTwo(door(goal), bearer(goal)), 'legacy'),
  'version 2, bridge': (goal: Goal) => two(new StdioTwo(bridge(goal)), 'auto'),
} as const

async function one(transport: HttpOne | StdioOne): Promise<Connected> {
  const client = new ClientOne(ME)
  // Its own types do not agree with each other where optional members are exact.
  await client.connect(transport as TransportOne)
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, signal) =>
      (await client.callTool({ name, arguments: args }, undefined, signal && { signal })) as Result,
    async onNews(heard) {
      client.setNotificationHandler(ToolListChangedNotificationSchema, heard)
    },
    close: () => client.close(),
  }
}

async function two(transport: HttpTwo | StdioTwo, mode: 'auto' | 'legacy'): Promise<Connected> {
  const client = new ClientTwo(ME, { versionNegotiation: { mode } })
  await client.connect(transport)
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}, signal) =>
      (await client.callTool({ name, arguments: args }, signal && { signal })) as Result,
    async onNews(heard) {
      client.setNotificationHandler('notifications/tools/list_changed', heard)
      if (mode === 'auto') await client.listen({ toolsListChanged: true })
    },
    close: () => client.close(),
  }
}
