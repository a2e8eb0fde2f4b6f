import type { McpAnswer } from '../../adapters/mcp/port.ts'
import type { Answer } from '../../adapters/upstream/port.ts'

/** A tool that says of itself that it failed, and arguments that it does not take. */
const UNPROCESSABLE = 422
const BAD_GATEWAY = 502
/** JSON-RPC 2.0: invalid params. */
const INVALID_PARAMS = -32_602

/**
 * What a server said as an answer in JSON: its structured content, else the value of its one text that is JSON, else the list of
 * its content.
 */
export function answerOf(answer: McpAnswer): Answer {
  const [status, text] = answer.kind === 'error' ? ofError(answer) : ofResult(answer)
  const body = Buffer.from(text)
  return {
    status,
    statusText: '',
    headers: ['content-type', 'application/json', 'content-length', String(body.length)],
    body,
    trailers: () => [],
    address: 'mcp',
  }
}

type Said<K extends McpAnswer['kind']> = Extract<McpAnswer, { kind: K }>

function ofError({ code, message }: Said<'error'>): readonly [number, string] {
  const status = code === INVALID_PARAMS ? UNPROCESSABLE : BAD_GATEWAY
  return [status, JSON.stringify({ error: { code, message } })]
}

function ofResult({ content, structured, isError }: Said<'result'>): readonly [number, string] {
  const status = isError ? UNPROCESSABLE : 200
  if (structured !== undefined) return [status, JSON.stringify(structured)]
  return [status, jsonText(content) ?? JSON.stringify(content)]
}

/** The text of the one item there is, where that is JSON: as it came, since a reader would round its numbers. */
function jsonText(content: readonly unknown[]): string | undefined {
  const [only] = content
  if (content.length !== 1 || typeof only !== 'object' || only === null) return undefined
  const text = 'type' in only && only.type === 'text' && 'text' in only ? only.text : undefined
  if (typeof text !== 'string') return undefined
  try {
    JSON.parse(text)
    return text
  } catch {
    return undefined
  }
}
