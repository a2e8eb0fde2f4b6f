import type { BatchAnswer } from '../batch/answer.ts'
import type { RpcId } from './requests.ts'

/** Errors that the protocol names (JSON-RPC 2.0, section 5.1), and that of a call that did not succeed. */
export const INVALID_REQUEST = { code: -32_600, message: 'Invalid Request' }
const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602
const NOT_DONE = -32_001

type RpcOutcome = { readonly result: unknown } | { readonly error: object }

/** What is told of the receipt is in `data`, since a result is the upstream's own. */
export function outcomeOf({ ok, status, output, error, receipt }: BatchAnswer): RpcOutcome {
  if (ok) return { result: output ?? null }
  if (error === undefined) {
    const message = `the upstream answered ${status}`
    return { error: { code: NOT_DONE, message, data: { status, output, receipt } } }
  }
  const { code, error: message } = error as { readonly code: string; readonly error: string }
  return { error: { code: codeOf(code), message, data: error } }
}

function codeOf(code: string): number {
  if (code === 'not_found') return METHOD_NOT_FOUND
  return ['malformed_request', 'unknown_field', 'not_supported'].includes(code)
    ? INVALID_PARAMS
    : NOT_DONE
}

/** The response to a request of this id. */
export function responseOf(id: Exclude<RpcId, undefined>, outcome: RpcOutcome): object {
  return { jsonrpc: '2.0', ...outcome, id }
}
