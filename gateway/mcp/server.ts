import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolRequestParams,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { envelopeOfForm } from '../../catalog/index.ts'
import type { BatchCall } from '../batch/calls.ts'
import { makeCall } from '../batch/make.ts'
import { createPresence } from '../doors/presence.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock } from '../knock.ts'
import { refusalOfProblems } from '../problems.ts'
import { Refusal } from '../refusal.ts'
import { VERSION } from '../version.ts'
import { checkArgs, type Args } from './args.ts'
import { listPage } from './listing.ts'
import { answerOwn, type OwnToolPorts } from './own-tools.ts'
import { isOwn, OWN_TOOLS } from './own-tables.ts'
import { resultOfReply } from './results.ts'

/** One request of a client. */
export interface McpRequest {
  readonly knock: Knock
  readonly around: DoorAround
  readonly ports: OwnToolPorts
  /** Told how the call can be ended from elsewhere; the function that it gives is called once it has ended. */
  readonly calls: (id: string | number, cancel: () => void) => () => void
}

const INSTRUCTIONS =
  'Every tool here is a call of an API, let through by a token. Find one with resolve, read its contract with read, call it by ' +
  'its name or with run. Each result ends with the id of its receipt: to see more or less of an answer that you have, use ' +
  'receipt with want instead of a second call. A refusal says what was wrong and how to repair it.'

/** A client that was asked to wait for long hears so often that the call still runs, in milliseconds. */
const PROGRESS_MS = 5000

/** The server of one request: what it lists and does is what the token of the request may. */
export function createMcpServer(request: McpRequest): Server {
  const server = new Server(
    { name: 'narrowgate', version: VERSION },
    { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler('tools/list', async ({ params }) => {
    const { knock, around } = request
    const rows = around.callable(await around.standing(knock), knock.door)
    const most = around.config.mcp.toolsListed
    const page = listPage({ rows, most, cursors: around.cursors }, params?.cursor)
    if (page !== undefined) return { ...page }
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'a cursor that this gateway did not give',
    )
  })
  server.setRequestHandler('tools/call', ({ params }, context) =>
    callTool(params, context, request),
  )
  return server
}

async function callTool(
  params: CallToolRequestParams,
  context: ServerContext,
  request: McpRequest,
): Promise<CallToolResult> {
  const presence = createPresence()
  const cancel = () => presence.cancel()
  request.knock.signal.addEventListener('abort', cancel)
  context.mcpReq.signal.addEventListener('abort', cancel)
  if (request.knock.signal.aborted || context.mcpReq.signal.aborted) cancel()
  const ended = request.calls(context.mcpReq.id, cancel)
  const progress = tellProgress(context)
  try {
    const knock = { ...request.knock, signal: presence.signal, cancel }
    return await answerCall(params, { ...request, knock })
  } finally {
    clearInterval(progress)
    ended()
  }
}

async function answerCall(
  { name, arguments: args = {} }: CallToolRequestParams,
  { knock, around, ports }: McpRequest,
): Promise<CallToolResult> {
  try {
    if (isOwn(name) && name !== 'run') return await answerOwn(name, { args, knock, around, ports })
    const does = name === 'run' ? callOfRun(args) : callOf({ tool: name, args })
    const { exchange } = around
    const reply = await makeCall(does, { asked: knock, batch: undefined, exchange, ports: around })
    return await resultOfReply(reply, around.headers)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const reply = await around.exchange({ ...knock, body: null, refused: error })
    return resultOfReply(reply, around.headers)
  }
}

function callOfRun(form: Args): BatchCall['does'] {
  checkArgs(form, OWN_TOOLS.run.args)
  return callOf(form)
}

function callOf(form: object): BatchCall['does'] {
  const read = envelopeOfForm(form)
  if (read.ok) return { kind: 'tool', envelope: read.envelope }
  return { kind: 'broken', refused: refusalOfProblems(read.problems) }
}

function tellProgress({ mcpReq }: ServerContext): NodeJS.Timeout | undefined {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  return setInterval(() => {
    progress += PROGRESS_MS / 1000
    const params = { progressToken, progress, message: 'the call is under way' }
    // Who does not listen any more need not be told.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }, PROGRESS_MS)
}
