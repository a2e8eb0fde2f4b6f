import type { Answer, HeaderNames, Projection } from './types.ts'
import { strange } from './wire.ts'

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i
const TEXT_TYPE = /^text\/|[/+]xml\b|ndjson|javascript|charset=/i

/** Reads the answer to a call to its end. */
export async function answerOf<Value>(
  response: Response,
  names: HeaderNames,
  page: Projection['page'],
): Promise<Answer<Value>> {
  const { status, headers } = response
  const receipt = headers.get(names.receipt)
  if (receipt === null) throw strange(response)
  const value = await valueOf(response)
  const next = headers.get(names.cursor) ?? (page === undefined ? null : nextIn(value))
  return {
    value: value as Value,
    receipt,
    status,
    projected: headers.get(names.projected),
    next,
  }
}

async function valueOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length === 0) return undefined
  const isJson = JSON_TYPE.test(type)
  if (!isJson && !TEXT_TYPE.test(type)) return bytes
  const text = new TextDecoder().decode(bytes)
  return isJson ? jsonOr(text) : text
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Where the rows are not the whole answer the cursor stands beside them. */
function nextIn(value: unknown): string | null {
  const { next } = (value ?? {}) as { readonly next?: unknown }
  return typeof next === 'string' ? next : null
}
