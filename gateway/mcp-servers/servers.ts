import { isDeepStrictEqual } from 'node:util'
import type { Secret } from '../../adapters/keys/port.ts'
import type { McpConnect, McpPlace } from '../../adapters/mcp/port.ts'
import { rowsOfMcp, type Tool } from '../../catalog/index.ts'
import { mcpSecretName, mcpUpstreamName, type McpServerConfig } from '../config/mcp-types.ts'
import { resolveUpstream, type ResolvedUpstream } from '../config/index.ts'
import type { Inner } from '../inner.ts'
import type { Log, Snapshot } from '../ports.ts'
import { refusal } from '../refusal.ts'
import { maskStrings } from '../wire/mask-strings.ts'
import { createServerFetch, type FetchPorts } from './fetch.ts'
import { sendTo, type Callee } from './send.ts'
import { createServer, type Server } from './server.ts'

/** So many remarks on a list are logged one by one. */
const MOST_REMARKS = 20
const BEARS = { area: true, model: true } as const
/** Stands for all servers where a call needs a host; no name server knows it (RFC 6761). */
const MCP_HOST = 'mcp.narrowgate.invalid'

/** How one of the servers is doing. */
export interface McpServerStatus {
  readonly name: string
  /** How many tools it listed last. */
  readonly rows: number
  /** Why it is not connected; absent where it is, or is about to be for the first time. */
  readonly down?: string
}

/** The servers of the configuration in force, and the rows that they list. */
export interface McpServers extends Inner {
  /** The rows of the catalog, and those of the servers behind them; one list until either changes. */
  withRows(catalog: () => readonly Tool[]): () => readonly Tool[]
  /** Takes over what the configuration in force says: new servers are connected, those that are gone are ended. */
  follow(): Promise<void>
  status(): readonly McpServerStatus[]
  close(): Promise<void>
}

export interface ServersPorts extends FetchPorts {
  readonly connect: McpConnect
  readonly log: Log
  /** Folder in which programs are started. */
  readonly folder: string
  /** The gateway's own; programs get it where they are given none. */
  readonly path: string | undefined
}

interface Kept {
  readonly config: McpServerConfig
  readonly values: readonly Secret[]
  readonly server: Server
  rows: readonly Tool[]
}

export function createMcpServers(ports: ServersPorts): McpServers {
  return new Servers(ports)
}

class Servers implements McpServers {
  readonly #ports: ServersPorts
  readonly #kept = new Map<string, Kept>()
  #rows: readonly Tool[] = []
  #byPath: ReadonlyMap<string, Tool> = new Map()
  readonly send = sendTo((path) => this.#calleeAt(path))

  constructor(ports: ServersPorts) {
    this.#ports = ports
  }

  withRows(catalog: () => readonly Tool[]): () => readonly Tool[] {
    let known: { catalog: readonly Tool[]; rows: readonly Tool[]; all: readonly Tool[] } | undefined
    return () => {
      const [own, rows] = [catalog(), this.#rows]
      if (known?.catalog !== own || known.rows !== rows)
        known = { catalog: own, rows, all: this.#merged(own, rows) }
      return known.all
    }
  }

  route(method: string, path: string) {
    const tool = this.#byPath.get(path)
    const kept = tool?.mcp && this.#kept.get(tool.mcp.server)
    if (tool === undefined || kept === undefined || method !== tool.method) {
      const repair = 'use the name of a tool that a server lists now: `GET /g/tools`'
      throw refusal('not_found', 'tool', { got: path.slice(0, 160), repair })
    }
    const { config } = kept
    const upstream = upstreamOf(config, this.#ports.snapshot())
    return { route: { tool, params: {} }, upstream, key: keyOf(config) }
  }

  async follow(): Promise<void> {
    const snapshot = this.#ports.snapshot()
    const { mcpServers } = snapshot.config
    const ended: Promise<void>[] = []
    for (const [name, { config, values, server }] of this.#kept) {
      const fresh = mcpServers.find((one) => one.name === name)
      const same = fresh !== undefined && isDeepStrictEqual(fresh, config)
      if (same && areSame(values, valuesOf(config, snapshot))) continue
      this.#kept.delete(name)
      ended.push(server.close())
    }
    for (const config of mcpServers) if (!this.#kept.has(config.name)) this.#start(config, snapshot)
    this.#change()
    await Promise.all(ended)
  }

  status(): readonly McpServerStatus[] {
    return [...this.#kept].map(([name, { server, rows }]) => {
      const down = server.down()
      return { name, rows: rows.length, ...(down !== undefined && { down }) }
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.values()].map(({ server }) => server.close()))
    this.#kept.clear()
  }

  #start(config: McpServerConfig, snapshot: Snapshot): void {
    const { name } = config
    const { connect, log } = this.#ports
    const server = createServer({
      name,
      place: () => placeOf(config, this.#ports),
      connect,
      log,
      listed: (tools) => this.#listed(name, tools),
    })
    this.#kept.set(name, { config, values: valuesOf(config, snapshot), server, rows: [] })
  }

  #listed(name: string, listed: readonly unknown[]): void {
    const kept = this.#kept.get(name)
    if (kept === undefined) return
    const { prefix } = kept.config
    const key = keyOf(kept.config)
    const source = { server: name, prefix, host: MCP_HOST, key }
    const { redactor } = this.#ports.snapshot().keyring
    const { tools: rows, skipped, notes } = rowsOfMcp(listed, source)
    // A server may say what it was given in a description, too.
    const tools = maskStrings(rows, (text) => redactor.redactText(text)) as readonly Tool[]
    if (isDeepStrictEqual(tools, kept.rows)) return
    const before = new Set(kept.rows.map((row) => row.name))
    const gone = [...before].filter((row) => !tools.some((tool) => tool.name === row))
    const fresh = tools.filter((tool) => !before.has(tool.name))
    kept.rows = tools
    this.#change()
    const { log } = this.#ports
    const figures = { rows: tools.length, new: fresh.length, gone: gone.length }
    log.info({ server: name, ...figures }, 'an MCP server lists other tools')
    const remarks = [
      ...skipped.map(({ at, why }) => `skipped ${at}: ${why}`),
      ...notes.map(({ at, why }) => `${at}: ${why}`),
    ]
    for (const remark of remarks.slice(0, MOST_REMARKS))
      log.warn({ server: name, remark }, 'a tool of an MCP server')
    const more = remarks.length - MOST_REMARKS
    if (more > 0)
      log.warn({ server: name, more }, 'more tools of an MCP server are not what it says')
  }

  #change(): void {
    this.#rows = [...this.#kept.values()].flatMap(({ rows }) => rows)
    this.#byPath = new Map(this.#rows.map((row) => [row.path, row]))
  }

  /** A row of the configuration comes before one that a server lists. */
  #merged(own: readonly Tool[], rows: readonly Tool[]): readonly Tool[] {
    const taken = new Set(own.map(({ name }) => name))
    const hidden = rows.filter(({ name }) => taken.has(name)).map(({ name }) => name)
    if (hidden.length > 0)
      this.#ports.log.warn({ rows: hidden }, 'the catalog has rows of these names: no server’s are')
    return [...own, ...rows.filter(({ name }) => !taken.has(name))]
  }

  #calleeAt(path: string): Callee | undefined {
    const tool = this.#byPath.get(path)
    const kept = tool?.mcp && this.#kept.get(tool.mcp.server)
    return tool && kept && { tool, server: kept.server }
  }
}

function keyOf({ name, way }: McpServerConfig): string | undefined {
  if (way.kind === 'url') return way.key
  return Object.keys(way.secretEnv).length === 0 ? undefined : mcpUpstreamName(name)
}

function upstreamOf({ name, way, keep }: McpServerConfig, snapshot: Snapshot): ResolvedUpstream {
  const listed = way.kind === 'url' ? resolveUpstream(snapshot, way.origin) : undefined
  return {
    name: listed?.name ?? mcpUpstreamName(name),
    route: {},
    intercept: true,
    bears: listed?.bears ?? BEARS,
    keep: keep ?? listed?.keep,
    keys: [],
  }
}

function placeOf({ name, way }: McpServerConfig, ports: ServersPorts): McpPlace {
  if (way.kind === 'url') return { kind: 'url', url: way.url, fetch: createServerFetch(way, ports) }
  const { path, folder } = ports
  const { secrets } = ports.snapshot()
  const secret = Object.keys(way.secretEnv).map((variable) => {
    const value = secrets.get(mcpSecretName(name, variable))
    if (value === undefined) throw new Error(`the variable ${variable} was not read`)
    return [variable, value] as const
  })
  const env = {
    ...(path !== undefined && { PATH: path }),
    ...way.env,
    ...Object.fromEntries(secret),
  }
  return { kind: 'command', command: way.command, folder, env }
}

function valuesOf({ name, way }: McpServerConfig, { secrets }: Snapshot): readonly Secret[] {
  const variables = way.kind === 'command' ? Object.keys(way.secretEnv) : []
  return variables.flatMap((variable) => secrets.get(mcpSecretName(name, variable)) ?? [])
}

/** Whether a program has the values already that it would be started with. */
function areSame(values: readonly Secret[], others: readonly Secret[]): boolean {
  const texts = (secrets: readonly Secret[]) => secrets.map((secret) => secret.reveal())
  return isDeepStrictEqual(texts(values), texts(others))
}
