import type { Answering } from '../recorder.ts'
import { FREE, NAMING } from '../refusal-cases.ts'
import { nothingSent, proofOf } from './scene.ts'

// What a token's lines, a request's form and an upstream's silence are refused for.

/** By the token's lines alone. */
const lines = proofOf({
  name: 'the token’s lines',
  calls: [
    { code: 'tool_not_granted', lines: ['tools = OTHER'] },
    { code: 'way_not_granted', lines: ['ways = mcp'] },
    { code: 'expired', lines: ['expires < 2020-01-01T00:00:00Z'] },
    { code: 'area_outside', lines: ['area = /src'] },
    { code: 'model_not_granted', lines: ['model = gpt-*'] },
    { code: 'person_mismatch', lines: ['person = alice'] },
    { code: 'arg_refused', lines: ['arg HTTP_GET.url_path = /other'] },
    { code: 'uses_spent', lines: ['uses <= 0'] },
  ],
  end: nothingSent,
})

const requests = proofOf({
  name: 'the form of the request',
  calls: [
    { code: 'malformed_request', lines: FREE, asked: { path: '/a%00' } },
    { code: 'malformed_request', lines: FREE, asked: { headers: { want: '{' } } },
    { code: 'unknown_field', lines: FREE, asked: { headers: { want: '{"selekt":["a"]}' } } },
    {
      code: 'not_supported',
      lines: FREE,
      asked: { headers: { want: '{"want":{"shape":"receipt"}}' } },
    },
    { code: 'too_large', status: 414, lines: FREE, asked: { path: `/${'a'.repeat(17_000)}` } },
    {
      code: 'authority_mismatch',
      lines: FREE,
      asked: { headers: { host: 'other.test' } },
      on: NAMING,
    },
    // What a session is worth is asked before the lines are.
    {
      code: 'session_invalid',
      lines: ['tools = OTHER'],
      asked: { headers: { 'narrowgate-session': `ns1.e30.${'A'.repeat(43)}` } },
    },
    {
      code: 'session_invalid',
      asked: { headers: { 'narrowgate-session': 'a', cookie: 'narrowgate_session=b' } },
    },
  ],
  connects: [{ code: 'malformed_request', connect: { target: 'http://api.test/' } }],
  end: nothingSent,
})

const answer: Answering = ({ first }) => {
  if (first.includes('/closed')) return { bytes: '', end: true }
  if (first.includes('/invalid')) return { bytes: 'nonsense\r\n\r\n', end: true }
  return { bytes: '' }
}

const upstreams = proofOf({
  name: 'an upstream that gives no answer',
  options: { answer, config: { limits: { drain_ms: 200, upstream_head_ms: 300 } } },
  calls: [
    { code: 'upstream_failed', lines: FREE, asked: { path: '/closed' }, ran: 'unknown' },
    { code: 'upstream_invalid', lines: FREE, asked: { path: '/invalid' }, ran: 'unknown' },
    { code: 'upstream_timeout', lines: FREE, asked: { path: '/silent' }, ran: 'unknown' },
  ],
})

export const LINES = [lines, requests, upstreams]
