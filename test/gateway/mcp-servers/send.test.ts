import { Readable } from 'node:stream'
import { default as t } from 'tap'
import type { McpAnswer, McpCall } from '../../../adapters/mcp/port.ts'
import type { UpstreamRequest } from '../../../adapters/upstream/port.ts'
import { requestTarget, rowsOfMcp } from '../../../catalog/index.ts'
import { sendTo } from '../../../gateway/mcp-servers/send.ts'
import { permitFor } from '../../adapters/upstream/helpers/upstream.ts'

const HOST = 'mcp.narrowgate.invalid'
const ORIGIN = { scheme: 'http', host: HOST, port: 80 } as const
const [TOOL] = rowsOfMcp([{ name: 'make-it', inputSchema: { type: 'object' } }], {
  server: 'a',
  prefix: 'A',
  host: HOST,
}).tools

function requestOf(body?: string, path = '/a/make-it'): UpstreamRequest {
  return {
    origin: ORIGIN,
    route: {},
    method: 'POST',
    path,
    headers: [],
    body: body === undefined ? null : Readable.from([Buffer.from(body)]),
    upgrade: false,
    signal: new AbortController().signal,
    timeouts: { connect: 1000, head: 2000, idle: 1000 },
  }
}

const permitOf = ({ method, origin, path }: UpstreamRequest) =>
  permitFor(requestTarget(method, origin, path))

/** A server that gives this answer, and the calls that reached it. */
function serving(answer: () => McpAnswer) {
  const calls: McpCall[] = []
  const server = {
    call: async (call: McpCall) => {
      calls.push(call)
      return answer()
    },
    down: () => undefined,
    close: async () => {},
  }
  const send = sendTo((path) => (path === TOOL!.path ? { tool: TOOL!, server } : undefined))
  return {
    calls,
    send: async (request = requestOf()) => send(request, permitOf(request)),
    raw: send,
  }
}

const result = (content: readonly unknown[], more: object = {}): McpAnswer => ({
  kind: 'result',
  content,
  structured: undefined,
  isError: false,
  ...more,
})
const text = (value: string) => ({ type: 'text', text: value })

t.test('a permit for anything else calls nothing', async (t) => {
  const { calls, raw, send } = serving(() => result([]))
  const request = requestOf()
  for (const target of ['', 'POST http://mcp.narrowgate.invalid/a/other', 'GET http://x/'])
    await t.rejects(raw(request, permitFor(target)), TypeError, target)
  t.strictSame(calls, [])
  await send(requestOf('{"n":1.5,"a":{"b":["ü"]}}'))
  t.match(calls, [{ tool: 'make-it', args: { n: 1.5, a: { b: ['ü'] } }, timeoutMs: 2000 }])
})

t.test('what would not be sent as it was judged is not sent', async (t) => {
  const { calls, send } = serving(() => result([]))
  await t.rejects(send(requestOf('{}', '/a/gone')), { code: 'not_found' })
  for (const body of [
    '{"n":12345678901234567890}',
    '{"a":[{"n":1e999}]}',
    '{"n":0.1234567890123456789}',
  ])
    await t.rejects(send(requestOf(body)), { code: 'not_supported' }, body)
  await t.rejects(send(requestOf('{"a":1,"a":2}')), { code: 'malformed_request' })
  t.strictSame(calls, [])
})

t.test('what a server says is an answer in JSON', async (t) => {
  for (const [answer, status, body] of [
    [result([text('told')], { structured: { a: 1 } }), 200, '{"a":1}'],
    [result([text('told')], { structured: null }), 200, 'null'],
    [result([text('{"id":12345678901234567890}')]), 200, '{"id":12345678901234567890}'],
    [result([text('plain')]), 200, '[{"type":"text","text":"plain"}]'],
    [
      result([text('1'), text('2')]),
      200,
      '[{"type":"text","text":"1"},{"type":"text","text":"2"}]',
    ],
    [result([]), 200, '[]'],
    [result([text('{"why":"x"}')], { isError: true }), 422, '{"why":"x"}'],
    [
      { kind: 'error', code: -32_602, message: 'no' },
      422,
      '{"error":{"code":-32602,"message":"no"}}',
    ],
    [
      { kind: 'error', code: -32_603, message: 'no' },
      502,
      '{"error":{"code":-32603,"message":"no"}}',
    ],
  ] as const) {
    const got = await serving(() => answer).send()
    t.strictSame([got.status, (got.body as Buffer).toString()], [status, body])
    t.equal(got.headers.at(-1), String(Buffer.byteLength(body)))
  }
})

t.test('a fault keeps what is known of the call', async (t) => {
  for (const sent of ['no', 'unknown'] as const) {
    const { send } = serving(() => {
      throw Object.assign(new Error('why'), { name: 'McpFault', code: 'upstream_failed', sent })
    })
    await t.rejects(send(), { name: 'UpstreamFault', code: 'upstream_failed', sent, got: 'why' })
  }
  const { send } = serving(() => {
    throw new RangeError('a defect')
  })
  await t.rejects(send(), RangeError)
})
