import { gzipSync } from 'node:zlib'
import type { Answering } from '../recorder.ts'
import { callFirst } from '../refusal-cases.ts'
import type { BenchOptions } from '../suite.ts'
import { proofOf } from './scene.ts'

// What needs keys, rows, guardrails and projections: refused before it is sent, or once its answer is there.

const PLACEHOLDER = '__wire_key__'

export function says(body: string, ...fields: readonly string[]) {
  const lines = [...fields, `Content-Length: ${body.length}`, 'Connection: close']
  return { bytes: `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n${body}`, end: true }
}

export const JSON_TYPE = 'Content-Type: application/json'

const answer: Answering = ({ first }) => {
  if (first.includes('/object')) return says('{"a":1}', JSON_TYPE)
  if (first.includes('/broken')) return says('[{"a":1},', JSON_TYPE)
  if (first.includes('/coded'))
    return says(gzipSync('ok').toString('latin1'), 'Content-Encoding: aes128gcm')
  if (first.includes('/part')) return says('ok', 'Content-Range: bytes 0-1/9')
  if (first.includes('/long')) return says(`[${'{"a":1},'.repeat(300)}{"a":1}]`, JSON_TYPE)
  return says('ok')
}

const options: BenchOptions = {
  answer,
  upstream: (name) => ({
    keys: [
      {
        name,
        secret: { env: 'FLOW_KEY' },
        placeholder: PLACEHOLDER,
        places: ['headers'],
        paths: ['/in/*'],
      },
      { name: `${name}-header`, secret: { env: 'FLOW_KEY' }, header: 'x-own' },
    ],
  }),
  beside: {
    rows: [
      {
        name: 'CHAT',
        method: 'POST',
        path: '/chat',
        model: 'model',
        args: { properties: { model: { in: 'body', type: 'string' } } },
      },
    ],
    files: {
      'g.cedar': `
        @id("no-admin") @advice("ask ops")
        forbid (principal, action, resource) when { context.path like "/admin/*" };
        @id("too-large")
        forbid (principal, action, resource)
        when { context.path like "/overflow*" && resource.port * 9223372036854775807 > 0 };
        @id("no-big")
        forbid (principal, action, resource)
        when { context has models && context.models.contains("big") };`,
    },
  },
  config: {
    limits: { drain_ms: 200, judged_body_bytes: 2_000, collected_bytes: 2_000 },
    grants: { limits: { calls_per_minute: 1 } },
    guardrails: { files: ['./g.cedar'] },
  },
}

const chat = (body: object) => ({
  method: 'POST',
  path: '/chat',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const before = proofOf({
  name: 'a call that is refused before it is sent',
  options,
  calls: [
    { code: 'rate_limited', before: callFirst, waits: true },
    { code: 'guardrail', asked: { path: '/admin/x' } },
    // One that meets an error forbids.
    { code: 'guardrail', asked: { path: '/overflow' } },
    { code: 'guardrail', lines: ['tools = *'], asked: chat({ model: 'big' }) },
    {
      code: 'placeholder_not_for_host',
      asked: { path: '/out', headers: { 'x-key': PLACEHOLDER } },
    },
    { code: 'placeholder_not_for_host', asked: { path: `/in/${PLACEHOLDER}` } },
    {
      code: 'too_large',
      lines: ['model = gpt-*'],
      asked: chat({ model: 'gpt-5', pad: 'x'.repeat(3_000) }),
    },
  ],
  end({ recorder }, t) {
    const reached = recorder.connections.flatMap(({ requests }) => requests)
    const others = reached.filter(({ first }) => !/ \/ HTTP/.test(first))
    t.same(others, [], 'none of them was sent')
  },
})

const sorted = { want: '{"order":["a"]}' }

const answers = proofOf({
  name: 'an answer that is refused',
  options,
  calls: [
    { code: 'no_rows', asked: { path: '/object', headers: sorted }, ran: true },
    { code: 'upstream_invalid', asked: { path: '/broken', headers: sorted }, ran: true },
    { code: 'encoding_not_inspectable', asked: { path: '/coded' }, ran: true },
    { code: 'encoding_not_inspectable', asked: { path: '/part' }, ran: true },
    { code: 'too_large', status: 502, asked: { path: '/long', headers: sorted }, ran: true },
  ],
})

export const ANSWERS = [before, answers]
