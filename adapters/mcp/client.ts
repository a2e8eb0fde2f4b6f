import {
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  type JsonSchemaValidatorResult,
  type StandardSchemaV1,
  type Tool,
} from '@modelcontextprotocol/client'
import { listAll } from './list.ts'
import type { McpAnswer, McpCall, McpConnect, McpConnection, McpEvents, McpPlace } from './port.ts'
import { faultOf, Said } from './fault.ts'
import { ProgramTransport } from './stdio.ts'
import { watchedFetch } from './watched-fetch.ts'

const HANDSHAKE_MS = 60_000
/** A program that does not know the newer handshake may not answer it at all. */
const PROBE_MS = 3_000
const DEBOUNCE_MS = 50

type Transport = ProgramTransport | StreamableHTTPClientTransport

/**
 * Connects by the official client library: the newer handshake where the server has it, the older one otherwise. What a server
 * asks for in return (a model, a person, folders) it does not get.
 */
export function connectBy(version: string): McpConnect {
  /** Programs that ended when they heard of the newer handshake. */
  const old = new Set<string>()
  return async (place, events, signal) => {
    const id = place.kind === 'command' ? JSON.stringify(place.command) : place.url
    const mode = old.has(id) ? 'legacy' : 'auto'
    const lost = once(events.lost)
    const transport = transportFor(place, { ...events, lost })
    const client = clientOf(version, mode, events)
    client.onclose = () => lost(new Said('the connection has ended'))
    // Each is told by what it breaks.
    client.onerror = () => {}
    try {
      await client.connect(transport, { signal, timeout: HANDSHAKE_MS })
    } catch (error) {
      if (place.kind === 'command' && !old.delete(id)) old.add(id)
      await transport.close()
      throw faultOf(error)
    }
    return connectionOf(client, transport)
  }
}

function transportFor(place: McpPlace, events: McpEvents): Transport {
  if (place.kind === 'command') return new ProgramTransport(place, events.said)
  return new StreamableHTTPClientTransport(new URL(place.url), {
    fetch: watchedFetch(place.fetch, events.lost),
  })
}

function clientOf(version: string, mode: 'legacy' | 'auto', events: McpEvents): Client {
  return new Client(
    { name: 'narrowgate', version },
    {
      capabilities: {},
      versionNegotiation: { mode, probe: { timeoutMs: PROBE_MS } },
      // A server's schemas are not compiled here: its answers are the holder's to judge.
      jsonSchemaValidator: { getValidator: () => taken },
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: DEBOUNCE_MS,
          onChanged: () => events.listChanged(),
        },
      },
    },
  )
}

function taken<T>(value: unknown): JsonSchemaValidatorResult<T> {
  return { valid: true, data: value as T, errorMessage: undefined }
}

function connectionOf(client: Client, transport: Transport): McpConnection {
  const definitions = new Map<string, Tool>()
  let running = 0
  let retired = false
  const close = async () => {
    await client.close()
    await transport.close()
  }
  return {
    async list() {
      const tools = await listAll((cursor) => pageOf(client, cursor))
      definitions.clear()
      for (const tool of tools) if (isTool(tool)) definitions.set(tool.name, tool)
      return tools
    },
    async call(call) {
      running++
      try {
        return await callTool(client, call, definitions.get(call.tool))
      } finally {
        running--
        if (retired && running === 0) void close()
      }
    },
    retire() {
      retired = true
      if (running === 0) void close()
    },
    close,
  }
}

const ANY: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'narrowgate', validate: (value) => ({ value }) },
}

/** The page as it came: one tool that is none must not hide the others. */
async function pageOf(client: Client, cursor: string | undefined): Promise<unknown> {
  const params = cursor === undefined ? {} : { cursor }
  try {
    return await client.request({ method: 'tools/list', params }, ANY, { timeout: HANDSHAKE_MS })
  } catch (error) {
    throw faultOf(error)
  }
}

function isTool(tool: unknown): tool is Tool {
  return typeof tool === 'object' && tool !== null && 'name' in tool && 'inputSchema' in tool
}

async function callTool(
  client: Client,
  call: McpCall,
  known: Tool | undefined,
): Promise<McpAnswer> {
  const { tool, args, signal, timeoutMs } = call
  // Some of a tool's arguments may have to stand in header fields besides (SEP-2243).
  const definition = known && { name: known.name, inputSchema: known.inputSchema }
  try {
    const result = await client.callTool(
      { name: tool, arguments: { ...args } },
      { signal, timeout: timeoutMs, ...(definition && { toolDefinition: definition }) },
    )
    const { content, structuredContent, isError } = result
    return { kind: 'result', content, structured: structuredContent, isError: isError === true }
  } catch (error) {
    if (error instanceof ProtocolError)
      return { kind: 'error', code: error.code, message: error.message }
    throw faultOf(error)
  }
}

function once(tell: (why: Error) => void): (why: Error) => void {
  let told = false
  return (why) => {
    if (told) return
    told = true
    tell(why)
  }
}
