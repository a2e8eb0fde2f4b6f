import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/client'
import { linesOf } from './stdin.ts'

/** A client on standard input and output, and the door that it is to reach. */
export interface Bridged {
  /** Address of the MCP door. */
  readonly door: URL
  /** Sent as Bearer; it stands nowhere else. */
  readonly token: string
  readonly input: AsyncIterable<Buffer | string>
  /** Writes one message for the client. */
  readonly say: (message: object) => void
  /** Tells people what goes wrong besides. */
  readonly warn: (text: string) => void
}

const LONGEST_LINE = 16 * 2 ** 20
const NO_ANSWER = -32_000
const INVALID = -32_600

type Id = JSONRPCRequest['id']

/**
 * Carries the messages of a client between its standard input and output and a door, one a line, until its input ends; what was
 * asked before is answered still. Where the door cannot be reached, or refuses, each request gets an error that says so.
 */
export async function bridge(bridged: Bridged): Promise<void> {
  const { door, token, input, say, warn } = bridged
  const headers = { authorization: `Bearer ${token}` }
  const transport = new StreamableHTTPClientTransport(door, { requestInit: { headers } })
  const asked = new Requests(say)
  transport.onerror = ({ message }) => warn(withoutToken(message, token))
  transport.onmessage = (message) => {
    if (asked.version(message) !== undefined) transport.setProtocolVersion(asked.version(message)!)
    asked.answered(message)
    say(message)
  }
  await transport.start()
  for await (const line of linesOf(input, LONGEST_LINE)) {
    const message = 'text' in line ? messageIn(line.text) : undefined
    if (message !== undefined) void send(message, { transport, asked })
    else if (!('text' in line) || line.text.trim() !== '')
      say(errorFor(null, { code: INVALID, message: 'a line that is no message of JSON-RPC' }))
  }
  await asked.settled()
  await transport.close()
}

interface Around {
  readonly transport: StreamableHTTPClientTransport
  readonly asked: Requests
}

async function send(message: JSONRPCMessage, { transport, asked }: Around): Promise<void> {
  if ('method' in message && message.method === 'notifications/cancelled')
    asked.cancel(message.params?.['requestId'])
  if (!isJSONRPCRequest(message)) {
    // Whoever sends a notification waits for no answer; what went wrong was told by `onerror`.
    await transport.send(message).catch(() => {})
    return
  }
  const signal = asked.add(message)
  const unanswered = () =>
    asked.fail(message.id, { code: NO_ANSWER, message: 'the gateway broke off' })
  try {
    await transport.send(message, { requestSignal: signal, onRequestStreamEnd: unanswered })
  } catch (error) {
    asked.fail(message.id, errorOf(error))
  }
}

/** The requests that no answer has come to yet. */
class Requests {
  readonly #open = new Map<
    Id,
    { readonly request: JSONRPCRequest; readonly gone: AbortController }
  >()
  readonly #say: (message: object) => void
  #settle = () => {}

  constructor(say: (message: object) => void) {
    this.#say = say
  }

  add(request: JSONRPCRequest): AbortSignal {
    const gone = new AbortController()
    this.#open.set(request.id, { request, gone })
    return gone.signal
  }

  /** The version that the answer to the first request of a client agrees on. */
  version(message: JSONRPCMessage): string | undefined {
    if (!isJSONRPCResultResponse(message)) return undefined
    const asked = this.#open.get(message.id)?.request
    const { protocolVersion } = message.result
    return asked !== undefined && isInitializeRequest(asked) && typeof protocolVersion === 'string'
      ? protocolVersion
      : undefined
  }

  answered(message: JSONRPCMessage): void {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message))
      this.#forget(message.id)
  }

  cancel(id: unknown): void {
    const open = this.#open.get(id as Id)
    this.#forget(id as Id)
    open?.gone.abort()
  }

  fail(id: Id, error: ErrorObject): void {
    if (!this.#open.has(id)) return
    this.#forget(id)
    this.#say(errorFor(id, error))
  }

  /** Resolves once all are answered but those that wait for news. */
  async settled(): Promise<void> {
    for (const [id, { request, gone }] of this.#open) {
      if (request.method !== 'subscriptions/listen') continue
      this.#forget(id)
      gone.abort()
    }
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#settle = resolve))
  }

  #forget(id: Id | undefined): void {
    if (id !== undefined) this.#open.delete(id)
    if (this.#open.size === 0) this.#settle()
  }
}

interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

function errorFor(id: Id | null, error: ErrorObject): object {
  return { jsonrpc: '2.0', id, error }
}

/** What the door said is an error of JSON-RPC in most cases; it is handed on as it stands. */
function errorOf(error: unknown): ErrorObject {
  const said = error instanceof SdkHttpError ? errorIn(error.data['text']) : undefined
  if (said !== undefined) return said
  const cause =
    error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const why = error instanceof Error ? `${error.message}${cause}` : String(error)
  return { code: NO_ANSWER, message: `the gateway did not answer: ${why}` }
}

/** Where nothing was read of a request its error has no id, so that it is no message for this library. */
function errorIn(text: unknown): ErrorObject | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const { error } = JSON.parse(text) as { readonly error?: Partial<ErrorObject> }
    const { code, message, data } = error ?? {}
    if (typeof code !== 'number' || typeof message !== 'string') return undefined
    return { code, message, data }
  } catch {
    return undefined
  }
}

function messageIn(text: string): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** An address or a field of a request could stand in an error of the platform. */
function withoutToken(text: string, token: string): string {
  return text.replaceAll(token, '…')
}
