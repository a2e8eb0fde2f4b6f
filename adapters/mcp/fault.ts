import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { McpFault } from './port.ts'

/** An error in words of our own, which may be told. */
export class Said extends Error {}

const SAID: Partial<Record<SdkErrorCode, string>> = {
  [SdkErrorCode.RequestTimeout]: 'no answer in time',
  [SdkErrorCode.ConnectionClosed]: 'the connection has ended',
  [SdkErrorCode.InvalidResult]: 'an answer that is none of a tool',
  [SdkErrorCode.UnsupportedResultType]: 'a question in place of an answer',
}

const CODES: Partial<Record<SdkErrorCode, McpFault['code']>> = {
  [SdkErrorCode.RequestTimeout]: 'upstream_timeout',
  [SdkErrorCode.InvalidResult]: 'upstream_invalid',
  [SdkErrorCode.UnsupportedResultType]: 'upstream_invalid',
}

/**
 * What broke, as a fault. It was not sent only where what it broke on says so. Of what the server said nothing is told: it may hold
 * what it was given.
 */
export function faultOf(cause: unknown): McpFault {
  const code = (cause instanceof SdkError && CODES[cause.code]) || 'upstream_failed'
  const sent = chainOf(cause).some((error) => 'sent' in error && error.sent === 'no')
  const fault = { name: 'McpFault', code, sent: sent ? 'no' : 'unknown' } as const
  return Object.assign(new Error(textOf(cause), { cause }), fault)
}

function textOf(cause: unknown): string {
  // A driver below has words of its own, too: those that say whether something was sent.
  const said = chainOf(cause).find((error) => error instanceof Said || 'sent' in error)
  if (said !== undefined) return said.message
  if (cause instanceof SdkHttpError && cause.status !== undefined)
    return `HTTP status ${cause.status}`
  if (cause instanceof UnauthorizedError) return 'HTTP status 401'
  if (cause instanceof ProtocolError) return `the server’s error ${cause.code}`
  return (cause instanceof SdkError && SAID[cause.code]) || 'the connection broke'
}

/** The error, and those that led to it. */
function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && !chain.includes(next); next = next.cause)
    chain.push(next)
  return chain
}
