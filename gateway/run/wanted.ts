import { parseWant, type Envelope } from '../../catalog/index.ts'
import type { Knock } from '../knock.ts'
import { refusalOfProblems } from '../problems.ts'
import { refusal } from '../refusal.ts'
import { getAllHeaders } from '../wire/headers.ts'

/** What says of an answer how it is to come back. */
const SAID = ['where', 'select', 'order', 'page', 'want'] as const

/**
 * The envelope with what the request's own field wants of the answer, as with a plain HTTP request.
 * @throws Refusal where the call says it too, or the field is wrong
 */
export function wantedOf({ headers }: Knock, envelope: Envelope, name: string): Envelope {
  const [text, ...more] = getAllHeaders(headers, name)
  if (text === undefined) return envelope
  if (more.length > 0 || SAID.some((member) => envelope[member] !== undefined))
    throw refusal('malformed_request', name, {
      got: 'what is wanted of the answer, said twice',
      repair: 'say it once: in the call, or in the field',
    })
  const read = parseWant(text)
  if (!read.ok) throw refusalOfProblems(read.problems)
  return { ...envelope, ...read.want }
}
