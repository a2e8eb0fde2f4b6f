import { gzipSync } from 'node:zlib'
import type { Answering } from './recorder.ts'
import {
  callFirst,
  DIRECT,
  refuseCalls,
  refuseConnects,
  refuseUpgrades,
  revokeFirst,
  revokeLinkFirst,
} from './refusal-cases.ts'
import type { Case } from './refusal-cases.ts'
import { wire } from './suite.ts'
import type { BenchOptions } from './suite.ts'

// The codes that need more than a token and a call: lines nobody mints, keys, limits, guardrails, projections.

const PLACEHOLDER = '__wire_key__'

/** A token that is bad in itself; in a tunnel it shows with the CONNECT. */
const TOKENS: readonly Case[] = [
  { code: 'token_unknown_caveat', forged: ['tools = *', 'moon = full'], on: DIRECT },
  { code: 'token_unknown_caveat', forged: ['uses < 3'], on: DIRECT },
  { code: 'token_not_delegable', forged: ['delegate = no', 'tools = HTTP_GET'], on: DIRECT },
  { code: 'keys_misplaced', forged: ['tools = *', 'keys = alice'], on: DIRECT },
]

const post = (type: string, body: string) => ({
  method: 'POST',
  path: '/chat',
  headers: { 'content-type': type },
  body,
})

const CALLS: readonly Case[] = [
  { code: 'rate_limited', before: callFirst, waits: true },
  { code: 'guardrail', asked: { path: '/admin/x' } },
  { code: 'placeholder_not_for_host', asked: { path: '/out', headers: { 'x-key': PLACEHOLDER } } },
  { code: 'placeholder_not_for_host', asked: { path: `/in/${PLACEHOLDER}` } },
  {
    code: 'too_large',
    lines: ['model = gpt-*'],
    asked: post('application/json', JSON.stringify({ model: 'gpt-5', pad: 'x'.repeat(3_000) })),
  },
]

/** The upstream was called: what is refused is its answer. */
const ANSWERS: readonly Case[] = [
  {
    code: 'no_rows',
    asked: { path: '/object', headers: { want: '{"order":["a"]}' } },
    ran: true,
  },
  { code: 'encoding_not_inspectable', asked: { path: '/coded' }, ran: true },
  { code: 'encoding_not_inspectable', asked: { path: '/part' }, ran: true },
  {
    code: 'too_large',
    status: 502,
    asked: { path: '/long', headers: { want: '{"order":["a"]}' } },
    ran: true,
  },
]

function says(body: string, ...fields: readonly string[]) {
  const lines = [...fields, `Content-Length: ${body.length}`, 'Connection: close']
  return { bytes: `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n${body}`, end: true }
}

const JSON_TYPE = 'Content-Type: application/json'

const answer: Answering = ({ first }) => {
  if (first.includes('/object')) return says('{"a":1}', JSON_TYPE)
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
      'g.cedar':
        '@id("no-admin") @advice("ask ops")\nforbid (principal, action, resource) when { context.path like "/admin/*" };\n',
    },
  },
  config: {
    limits: { drain_ms: 200, judged_body_bytes: 2_000, collected_bytes: 2_000 },
    grants: { limits: { calls_per_minute: 1 } },
    guardrails: { files: ['./g.cedar'] },
  },
}

wire(
  'a bad token, in a call, an upgrade and a CONNECT',
  async (t, bench) => {
    await refuseCalls(t, bench, TOKENS)
    await refuseUpgrades(t, bench, TOKENS)
    await refuseConnects(t, bench, TOKENS)
    t.same(bench.recorder.connections, [], 'nothing was dialled')
  },
  options,
)

wire(
  'a call that is refused before it is sent, in every shape',
  async (t, bench) => {
    await refuseCalls(t, bench, CALLS)
    await refuseUpgrades(t, bench, CALLS)
    const reached = bench.recorder.connections.flatMap(({ requests }) => requests)
    t.same(
      reached.filter(({ first }) => !/ \/ HTTP/.test(first)),
      [],
      'none of them was sent',
    )
  },
  options,
)

wire(
  'an answer that is refused, in every shape',
  async (t, bench) => {
    await refuseCalls(t, bench, ANSWERS)
    await refuseUpgrades(t, bench, ANSWERS)
  },
  options,
)

const ENDED: readonly Case[] = [
  { code: 'revoked', before: revokeFirst },
  { code: 'revoked', before: revokeLinkFirst },
]

wire('a grant or a link that has ended, in every shape', async (t, bench) => {
  await refuseCalls(t, bench, ENDED)
  await refuseUpgrades(t, bench, ENDED)
})
