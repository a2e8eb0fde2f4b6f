import { isMembers } from '../batch/calls.ts'
import type { Reply } from '../knock.ts'
import type { RpcId } from '../rpc/requests.ts'
import { getHeader } from '../wire/headers.ts'

/** What a refusal is where the protocol has no tool's result to put it into (formats, section 6). */
export const NOT_LET = -32_001
export const PARSE_ERROR = -32_700

/** One message of a client, as far as the door looks at it. */
export interface Message {
  readonly value: unknown
  /** Undefined for what wants no answer. */
  readonly id: RpcId
  readonly method: string | undefined
  readonly params: Readonly<Record<string, unknown>>
}

/** Reads a message; undefined for a list of them, which the protocol has no more. */
export function messageOf(value: unknown): Message | undefined {
  if (Array.isArray(value)) return undefined
  const { id, method, params } = isMembers(value) ? value : {}
  return {
    value,
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
    method: typeof method === 'string' ? method : undefined,
    params: isMembers(params) ? params : {},
  }
}

/** How a refusal is told in JSON-RPC. */
export interface ErrorForm {
  readonly id: string | number | null
  readonly code: number
  /** Where it is not that of the refusal. */
  readonly status?: number
}

/**
 * The reply of a refusal as an error of JSON-RPC that carries its document. Clients hand an error on to their callers where
 * it answers their request with status 200, and show its text where the status is another.
 */
export function errorReply(reply: Reply, { id, code, status }: ErrorForm): Reply {
  const data = documentIn(reply)
  const message = (data as { readonly error?: string } | undefined)?.error ?? 'refused'
  const error = { code, message, ...(data !== undefined && { data }) }
  return {
    ...reply,
    status: status ?? reply.status,
    headers: [
      'content-type',
      'application/json',
      ...withoutFields(reply.headers, ['content-type', 'www-authenticate']),
      ...(reply.status === 401 ? ['www-authenticate', 'Bearer realm="narrowgate"'] : []),
    ],
    body: Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`),
  }
}

function documentIn({ headers, body }: Reply): object | undefined {
  const isDocument = getHeader(headers, 'content-type') === 'application/problem+json'
  return isDocument && Buffer.isBuffer(body) ? (JSON.parse(body.toString()) as object) : undefined
}

/** A flat list of fields without those of these names, which are in lower case. */
function withoutFields(headers: Reply['headers'], names: readonly string[]): readonly string[] {
  return headers.filter(
    (_, at) => !names.includes((headers[at - (at % 2)] as string).toLowerCase()),
  )
}

/** A refusal where nothing is known of the message that it answers. */
export function refusalOfMcp(reply: Reply): Reply {
  return errorReply(reply, { id: null, code: NOT_LET })
}
