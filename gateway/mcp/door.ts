import { randomUUID } from 'node:crypto'
import type { DoorAround, HolderDoor } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { Refusal, refusal } from '../refusal.ts'
import { doorPath } from '../run/address.ts'
import { readJson } from '../run/body.ts'
import { methodNotTaken } from '../run/call.ts'
import { getHeader } from '../wire/headers.ts'
import { errorReply, messageOf, NOT_LET, PARSE_ERROR, type Message } from './messages.ts'
import { checkOrigin } from './origin.ts'
import type { OwnToolPorts } from './own-tools.ts'
import { createRunning, type CallName } from './running.ts'
import { createNewsStreams, type NewsPorts } from './streams.ts'
import { acceptsStream, replyOf, requestOf } from './web.ts'

/** What the door needs from outside. */
export interface McpPorts extends NewsPorts, OwnToolPorts {
  readonly verifier: NewsPorts['verifier']
}

/** The door for clients of the Model Context Protocol, by Streamable HTTP. */
export interface McpDoor {
  readonly answer: HolderDoor
  /** Ends the streams that wait for news. */
  close(): void
}

const SESSION = 'mcp-session-id'

export function createMcpDoor(ports: McpPorts): McpDoor {
  const streams = createNewsStreams(ports)
  const running = createRunning()

  /** A client's calls go by its session, which is nothing but a name. */
  const nameOf = ({ credential, headers }: Knock, id: string | number): CallName => ({
    link: ports.verifier.verify(credential!).link,
    session: getHeader(headers, SESSION),
    id,
  })

  const serving = async (knock: Knock, around: DoorAround, body?: unknown) => {
    // Its library is large: a gateway that nobody asks by this door does not load it.
    const [{ serveMessage, serveNotifications }, { createMcpServer }] = await Promise.all([
      import('./serving.ts'),
      import('./server.ts'),
    ])
    const calls = (id: string | number, cancel: () => void) =>
      running.add(nameOf(knock, id), cancel)
    const server = () => createMcpServer({ knock, around, ports, calls })
    const asked = { request: requestOf(knock), body, streams: acceptsStream(knock), server }
    return body === undefined ? serveNotifications(asked) : serveMessage(asked)
  }

  const listen = async (knock: Knock, around: DoorAround, body?: unknown): Promise<Reply> => {
    const { judged } = await around.standing(knock)
    const { response, stream } = await serving(knock, around, body)
    const reply = await replyOf(response, around)
    if (stream === undefined) return reply
    const forget = keep({ bearer: knock, judged, ...stream }, around)
    knock.signal.addEventListener('abort', forget)
    return reply
  }

  const keep = (stream: Parameters<typeof streams.add>[0], around: DoorAround) => {
    try {
      return streams.add(stream, around.config.limits.maxMcpStreams)
    } catch (error) {
      stream.end()
      throw error
    }
  }

  const answerMessage = async (knock: Knock, around: DoorAround, message: Message) => {
    const { id, method, params, value } = message
    if (method === 'notifications/cancelled') {
      const { requestId } = params
      if (typeof requestId === 'string' || typeof requestId === 'number')
        running.cancel(nameOf(knock, requestId))
    }
    if (method === 'subscriptions/listen') return listen(knock, around, value)
    // A call is judged by itself, and its refusal is its result; what is no request gets no answer.
    if (method !== 'tools/call' && id !== undefined) await around.standing(knock)
    const { response } = await serving(knock, around, value)
    const reply = await replyOf(response, around)
    if (method !== 'initialize' || !response.ok) return reply
    return { ...reply, headers: [...reply.headers, SESSION, randomUUID()] }
  }

  const post: HolderDoor = async (knock, around) => {
    const { refused, value } = await bodyOf(knock, around)
    const tell = async (error: Refusal) => around.exchange({ ...knock, body: null, refused: error })
    if (refused !== undefined)
      return errorReply(await tell(refused), { id: null, code: PARSE_ERROR })
    const message = messageOf(value)
    if (message === undefined) throw oneMessage()
    try {
      return await answerMessage(knock, around, message)
    } catch (error) {
      if (!(error instanceof Refusal) || message.id === undefined) throw error
      return errorReply(await tell(error), { id: message.id, code: NOT_LET, status: 200 })
    }
  }

  return {
    async answer(knock, around) {
      checkOrigin(knock, around.config)
      checkPath(knock)
      if (knock.method === 'POST') return post(knock, around)
      if (knock.method === 'GET') return listen(knock, around)
      // There are no sessions to be ended: DELETE is answered as the specification has it for servers without.
      throw methodNotTaken(knock.method, 'GET, POST')
    },
    close: streams.close,
  }
}

async function bodyOf(
  knock: Knock,
  { limits }: DoorAround,
): Promise<{ readonly value?: unknown; readonly refused?: Refusal }> {
  try {
    return { value: await readJson(knock, limits) }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'malformed_request') return { refused: error }
    throw error
  }
}

function checkPath({ path }: Knock): void {
  const { rest, query } = doorPath(path)
  if (rest === undefined && Object.keys(query).length === 0) return
  throw refusal('not_found', 'path', {
    got: 'more than the address of the door',
    repair: 'use /g/mcp with the token as Bearer, or /g/<token>/mcp',
  })
}

function oneMessage(): Refusal {
  return refusal('malformed_request', 'body', {
    got: 'a list of messages',
    repair: 'send each message in a request of its own',
  })
}
