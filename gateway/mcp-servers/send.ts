import type { McpFault } from '../../adapters/mcp/port.ts'
import type { Upstream, UpstreamFault, UpstreamRequest } from '../../adapters/upstream/port.ts'
import { parseJsonBody, requestTarget, type Tool } from '../../catalog/index.ts'
import { refusal } from '../refusal.ts'
import { answerOf } from './answer.ts'
import type { Server } from './server.ts'

/** The row at a path, and the server that it is called at. */
export interface Callee {
  readonly tool: Tool
  readonly server: Server
}

/** Servers of tools as an upstream: it wants the permit for this very request, and answers in JSON. */
export function sendTo(find: (path: string) => Callee | undefined): Upstream['send'] {
  return async (request, permit) => {
    const { method, origin, path } = request
    if (permit.target !== requestTarget(method, origin, path))
      throw new TypeError('the permit is for another call')
    const callee = find(path)
    if (callee?.tool.mcp === undefined) throw gone()
    const { tool } = callee.tool.mcp
    const args = await argsOf(request)
    const { signal, done } = signalOf(request.signal)
    try {
      const timeoutMs = request.timeouts.head
      return answerOf(await callee.server.call({ tool, args, signal, timeoutMs }))
    } catch (error) {
      throw asFault(error)
    } finally {
      done()
    }
  }
}

/** The server may have taken it out of its list since it was judged. */
function gone() {
  const repair = 'look at what it lists now: `GET /g/tools`'
  return refusal('not_found', 'tool', { got: 'a tool that its server lists no longer', repair })
}

async function argsOf({ body }: UpstreamRequest): Promise<Readonly<Record<string, unknown>>> {
  if (body === null) return {}
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const read = parseJsonBody(bytes)
  if (!read.ok)
    throw refusal('malformed_request', 'args', { got: read.reason, repair: 'send JSON' })
  const value: unknown = JSON.parse(bytes.toString())
  // What is judged is what is sent: no reader may round a number on the way.
  if (JSON.stringify(value) !== JSON.stringify(read.value)) {
    const repair = 'send it as a text, if the tool takes one'
    throw refusal('not_supported', 'args', { got: 'a number that no double holds', repair })
  }
  return value as Readonly<Record<string, unknown>>
}

function signalOf(caller: UpstreamRequest['signal']) {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error('the caller has gone'))
  if (caller.aborted) abort()
  caller.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    done: () => caller.removeEventListener('abort', abort),
  }
}

function asFault(error: unknown): unknown {
  if (!isMcpFault(error)) return error
  const { code, sent, message } = error
  const fault = { name: 'UpstreamFault', code, sent, got: message } as const
  return Object.assign(new Error(message, { cause: error }), fault) satisfies UpstreamFault
}

function isMcpFault(error: unknown): error is McpFault {
  return error instanceof Error && error.name === 'McpFault'
}
