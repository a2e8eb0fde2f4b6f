import { envelopeOfForm, parseJsonBody } from '../../catalog/index.ts'
import { isMembers, type BatchCall } from '../batch/calls.ts'
import { refusalOfProblems } from '../problems.ts'
import { refusal, type Refusal } from '../refusal.ts'
import { readRequest, type RpcRequest } from '../rpc/requests.ts'
import { waitsForOthers } from '../run/call.ts'

/** One text frame, as the call that it is. */
export type Frame =
  | { readonly kind: 'call'; readonly key: string; readonly does: BatchCall['does'] }
  | { readonly kind: 'rpc'; readonly request: RpcRequest }

const KEY = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Reads a frame. `at` is its place on the connection, from 0, by which its answer goes where it has no key of its own; `taken` says of
 * a key whether a call under way has it.
 */
export function readFrame(text: string, at: number, taken: (key: string) => boolean): Frame {
  const place = `${at}`
  const read = parseJsonBody(Buffer.from(text))
  if (!read.ok) return broken(place, malformed('frame', read.reason, FORM))
  const { value } = read
  if (!isMembers(value)) return broken(place, malformed('frame', 'no object', FORM))
  if ('jsonrpc' in value) return { kind: 'rpc', request: readRequest(value) }
  const { id, key = id ?? place, ...form } = value
  if (!isKey(key))
    return broken(place, malformed('key', 'no key', 'write 1 to 64 letters, digits, `_` or `-`'))
  if (taken(`${key}`))
    return broken(
      place,
      malformed('key', `\`${key}\`, which a call under way has`, 'wait for its answer'),
    )
  const called = envelopeOfForm(form)
  if (!called.ok) return broken(`${key}`, refusalOfProblems(called.problems))
  const { envelope } = called
  return envelope.with === undefined
    ? { kind: 'call', key: `${key}`, does: { kind: 'tool', envelope } }
    : broken(`${key}`, waitsForOthers())
}

/** A number may be one, since many clients count. */
function isKey(key: unknown): key is string | number {
  return (typeof key === 'string' || typeof key === 'number') && KEY.test(`${key}`)
}

const FORM = 'send one call as JSON: `{"key": …, "tool": …, "args": {…}}`'

function malformed(axis: string, got: string, repair: string): Refusal {
  return refusal('malformed_request', axis, { got, repair })
}

function broken(key: string, refused: Refusal): Frame {
  return { kind: 'call', key, does: { kind: 'broken', refused } }
}
