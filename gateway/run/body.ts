import { isUtf8 } from 'node:buffer'
import { parseJsonBody } from '../../catalog/index.ts'
import type { Knock } from '../knock.ts'
import type { Limits } from '../limits.ts'
import { refusal, type Refusal } from '../refusal.ts'
import { readAtMost } from '../wire/read-at-most.ts'

type BodyLimits = Pick<Limits, 'judgedBodyBytes'>

/** A body of these doors: the value of JSON, or a text. */
export type RunBody = { readonly value: unknown } | { readonly text: string }

/**
 * Reads the body of a knock. What begins as an object or a list is JSON, whatever its media type says: clients that post a text
 * say of it what they say of every text.
 * @throws Refusal for one that is neither
 */
export async function readBody(knock: Knock, limits: BodyLimits): Promise<RunBody> {
  const bytes = await readBytes(knock, limits)
  if (!isUtf8(bytes)) throw noJson('bytes that are not UTF-8')
  const text = bytes.toString()
  return /^\s*[[{]/.test(text) ? { value: valueOf(bytes) } : { text }
}

/**
 * The value of a body that has to be JSON.
 * @throws Refusal where it is none
 */
export async function readJson(knock: Knock, limits: BodyLimits): Promise<unknown> {
  return valueOf(await readBytes(knock, limits))
}

/**
 * The bytes of a body.
 * @throws Refusal where there is none, or too much of it
 */
export async function readBytes(
  { body, proceed }: Knock,
  { judgedBodyBytes }: BodyLimits,
): Promise<Buffer> {
  if (body === null) throw noJson('no body')
  proceed()
  const bytes = await readAtMost(body, judgedBodyBytes)
  if (bytes !== undefined) return bytes
  throw refusal('too_large', 'body', {
    got: `more than ${judgedBodyBytes} bytes`,
    repair: 'send less, or raise limits.judged_body_bytes',
  })
}

function valueOf(bytes: Buffer): unknown {
  const read = parseJsonBody(bytes)
  if (!read.ok) throw noJson(read.reason)
  return read.value
}

function noJson(got: string): Refusal {
  const repair = 'send a call as JSON: `{"tool": …, "args": {…}}`'
  return refusal('malformed_request', 'body', { got, repair })
}
