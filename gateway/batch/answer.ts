import { Readable } from 'node:stream'
import { isUtf8 } from 'node:buffer'
import { parseJsonBody, type ModelText } from '../../catalog/index.ts'
import type { Reply } from '../knock.ts'
import { problemDocument, refusal, type Refusal } from '../refusal.ts'
import { getHeader } from '../wire/headers.ts'
import { readAtMost } from '../wire/read-at-most.ts'

/** As much as one answer of a batch may have, in bytes: what is larger is for a call of its own. */
const MOST_BYTES = 4 * 2 ** 20

/** What came of one call of a batch; of a model's, how it ended and what it took besides. */
export interface BatchAnswer extends Omit<ModelText, 'text'> {
  readonly key: string
  /** What its caller calls it. */
  readonly label?: string
  /** Whether an upstream answered with a status below 400. */
  readonly ok: boolean
  readonly status: number
  /** Of a model its text, or the value of that; else the answer's body: its value where it is JSON in which no object names a member twice, else its text, or `{base64}`. */
  readonly output?: unknown
  /** The refusal, as a problem document. */
  readonly error?: object
  /** Id of its receipt. */
  readonly receipt?: string
}

/** Names of our own fields on an answer. */
export interface Names {
  readonly receipt: string
  readonly refused: string
}

/** Reads the answer of one call. It never rejects: an answer that breaks off is one that failed. */
export async function answerOf(key: string, reply: Reply, names: Names): Promise<BatchAnswer> {
  const { status, headers } = reply
  const receipt = getHeader(headers, names.receipt)
  const known = receipt === undefined ? {} : { receipt }
  const bytes = await bytesOf(reply)
  if (bytes === undefined)
    return { key, ok: false, status, error: documentOf(faultOf(reply), receipt), ...known }
  const value = valueOf(bytes, getHeader(headers, 'content-type') ?? '')
  if (getHeader(headers, names.refused) !== undefined)
    return { key, ok: false, status, error: value as object, ...known }
  const output = value === undefined ? {} : { output: value }
  return { key, ok: status < 400, status, ...output, ...known }
}

/** Why an answer could not be read to its end. */
function faultOf({ body }: Reply): Refusal {
  if (body instanceof Readable && body.errored !== null)
    return refusal('upstream_failed', 'answer', {
      got: 'an answer that broke off',
      repair: 'see its receipt, then try again',
    })
  return refusal('too_large', 'answer', {
    got: `more than ${MOST_BYTES} bytes`,
    repair: 'want less of it, or call it by itself',
  })
}

function documentOf(refused: Refusal, receipt: string | undefined): object {
  return problemDocument(refused, { status: refused.status, ran: true, receipt })
}

async function bytesOf({ body }: Reply): Promise<Buffer | undefined> {
  if (body === null) return Buffer.alloc(0)
  if (Buffer.isBuffer(body)) return body
  try {
    const bytes = await readAtMost(body, MOST_BYTES)
    // Its exchange ends where nobody reads on.
    if (bytes === undefined) body.destroy()
    return bytes
  } catch {
    return undefined
  }
}

function valueOf(bytes: Buffer, type: string): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) return { base64: bytes.toString('base64') }
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return bytes.toString()
  const read = parseJsonBody(bytes)
  return read.ok ? read.value : bytes.toString()
}
