import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { default as t } from 'tap'
import { faultOf, Said } from '../../../adapters/mcp/fault.ts'

t.test('a fault tells what broke, and nothing that a server said', async (t) => {
  const SECRET = 'what the server was given'
  const sent = (what: 'no' | 'unknown') => Object.assign(new Error('refused'), { sent: what })
  const http = new SdkHttpError(SdkErrorCode.ClientHttpForbidden, SECRET, {
    status: 403,
    text: SECRET,
  })
  for (const [cause, message, code, known] of [
    [new Error(SECRET), 'the connection broke', 'upstream_failed', 'unknown'],
    [SECRET, 'the connection broke', 'upstream_failed', 'unknown'],
    [http, 'HTTP status 403', 'upstream_failed', 'unknown'],
    [new ProtocolError(-32_000, SECRET), 'the server’s error -32000', 'upstream_failed', 'unknown'],
    [
      new SdkError(SdkErrorCode.RequestTimeout, SECRET),
      'no answer in time',
      'upstream_timeout',
      'unknown',
    ],
    [
      new SdkError(SdkErrorCode.InvalidResult, SECRET),
      'an answer that is none of a tool',
      'upstream_invalid',
      'unknown',
    ],
    [new Said('own words'), 'own words', 'upstream_failed', 'unknown'],
    [sent('unknown'), 'refused', 'upstream_failed', 'unknown'],
    [sent('no'), 'refused', 'upstream_failed', 'no'],
    [new Error(SECRET, { cause: sent('no') }), 'refused', 'upstream_failed', 'no'],
  ] as const) {
    const fault = faultOf(cause)
    t.match(fault, { name: 'McpFault', message, code, sent: known }, message)
  }
  const circle = new Error('a')
  circle.cause = circle
  t.equal(faultOf(circle).sent, 'unknown')
})
