import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { writtenJson } from '../../catalog/index.ts'
import { answerOf, type Names } from '../batch/answer.ts'
import { isMembers } from '../batch/calls.ts'
import type { Reply } from '../knock.ts'
import { getHeader } from '../wire/headers.ts'

/** Names of what results say besides their content. */
export const RECEIPT = 'narrowgate/receipt'
const STATUS = 'narrowgate/status'

/**
 * What came of a call as the result of a tool: the answer as text, image, sound or bytes; a JSON object besides as structured
 * content; and at the end the id of the receipt, as a text that a model sees. What went wrong is a result too.
 */
export async function resultOfReply(reply: Reply, names: Names): Promise<CallToolResult> {
  const type = getHeader(reply.headers, 'content-type') ?? ''
  const { ok, status, output, error, receipt } = await answerOf('', reply, names)
  const meta = { [STATUS]: status, ...(receipt !== undefined && { [RECEIPT]: receipt }) }
  if (error !== undefined) return { isError: true, ...jsonResult(error), _meta: meta }
  const said = [
    ...(ok ? [] : [`the upstream answered ${status}`]),
    ...(receipt === undefined ? [] : [`receipt: ${receipt}`]),
  ]
  const { content, structuredContent } = partsOf(output, { type, receipt })
  return {
    ...(!ok && { isError: true }),
    content: [...content, ...(said.length === 0 ? [] : [textBlock(said.join('\n'))])],
    ...(structuredContent !== undefined && { structuredContent }),
    _meta: meta,
  }
}

/** A JSON value as the result of a tool. */
export function jsonResult(value: unknown): CallToolResult {
  const text = writtenJson(value)
  return { content: [textBlock(text)], ...structured(text) }
}

export function textResult(text: string): CallToolResult {
  return { content: [textBlock(text)] }
}

type Parts = Pick<CallToolResult, 'content' | 'structuredContent'>

interface Origin {
  readonly type: string
  readonly receipt: string | undefined
}

function partsOf(output: unknown, { type, receipt }: Origin): Parts {
  if (output === undefined) return { content: [] }
  if (typeof output === 'string') return { content: [textBlock(output)] }
  const [mimeType = ''] = type.split(';', 1)
  const isJson = /^application\/(?:[\w.+-]+\+)?json$/i.test(mimeType)
  if (isJson || !isMembers(output)) return jsonResult(output)
  const { base64: data } = output as { readonly base64: string }
  if (/^image\//i.test(mimeType)) return { content: [{ type: 'image', data, mimeType }] }
  if (/^audio\//i.test(mimeType)) return { content: [{ type: 'audio', data, mimeType }] }
  const uri = `urn:narrowgate:receipt:${receipt ?? 'none'}`
  const resource = { uri, blob: data, ...(mimeType !== '' && { mimeType }) }
  return { content: [{ type: 'resource', resource }] }
}

/** A number that no double holds stands in the text as it was written; readers of the structure round it as they do all JSON. */
function structured(text: string): Pick<CallToolResult, 'structuredContent'> {
  const value: unknown = JSON.parse(text)
  return isMembers(value) ? { structuredContent: value } : {}
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}
