import { flow, rowName } from '../helpers/gateway.ts'
import type { Setup } from '../helpers/gateway.ts'
import { assertRefused } from '../helpers/refused.ts'
import { SHAPES } from '../helpers/shapes.ts'
import type { Asked } from '../helpers/shapes.ts'
import { bodyOf } from '../helpers/upstream.ts'

// What no client should send, at each door: its code, its status, its receipt, and an upstream that saw nothing.

const ROWS: Setup['rows'] = [
  {
    name: 'WRITE',
    method: 'POST',
    path: '/write',
    args: { properties: { path: { in: 'body', type: 'string' } } },
  },
]

interface Bad {
  readonly name: string
  readonly asked: Omit<Asked, 'token'>
  readonly status: number
  readonly code: string
}

const JSON_TYPE = { 'content-type': 'application/json' }
const post = (body: string) => ({ method: 'POST', path: '/write', headers: JSON_TYPE, body })

const BAD: readonly Bad[] = [
  {
    name: 'a want that is no JSON',
    asked: { headers: { want: '{"select":' } },
    status: 400,
    code: 'malformed_request',
  },
  {
    name: 'a selector that does not parse',
    asked: { headers: { want: 'a..b' } },
    status: 400,
    code: 'malformed_request',
  },
  {
    name: 'an unknown field',
    asked: { headers: { want: '{"selekt":["a"]}' } },
    status: 400,
    code: 'unknown_field',
  },
  {
    name: 'an operator that is none',
    asked: { headers: { want: '{"where":{"a":{"like":"x"}}}' } },
    status: 400,
    code: 'unknown_field',
  },
  {
    name: 'what is not there yet',
    asked: { headers: { want: '{"want":{"shape":"receipt"}}' } },
    status: 400,
    code: 'not_supported',
  },
  {
    name: 'a target that is too long',
    asked: { path: `/${'a'.repeat(17_000)}` },
    status: 414,
    code: 'too_large',
  },
  {
    name: 'a judged body that is too long',
    asked: post(JSON.stringify({ path: 'x'.repeat(3000) })),
    status: 413,
    code: 'too_large',
  },
  {
    name: 'a judged body with a member twice',
    asked: post('{"path":"/a","path":"/b"}'),
    status: 400,
    code: 'malformed_request',
  },
  {
    name: 'a judged body that is no JSON',
    asked: post('{"path":'),
    status: 400,
    code: 'malformed_request',
  },
  {
    name: 'a judged body in a coding',
    asked: { ...post('x'), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
    status: 400,
    code: 'malformed_request',
  },
  {
    name: 'an argument in two places',
    asked: { ...post('{"path":"/a"}'), path: '/write?path=/b' },
    status: 400,
    code: 'malformed_request',
  },
]

flow(
  'requests that cannot be understood',
  {
    rows: ROWS,
    config: { limits: { judged_body_bytes: 2000 } },
  },
  async (t, gateway) => {
    for (const shape of SHAPES) {
      const lines = [
        `tools = HTTP_*,${rowName('WRITE', shape)}`,
        `arg ${rowName('WRITE', shape)}.path prefix /`,
      ]
      const token = gateway.mint(...lines)
      for (const { asked, name, ...expected } of BAD)
        assertRefused(t, gateway, await gateway.ask(shape, { token, ...asked }), {
          ...expected,
          name: `${shape}: ${name}`,
        })
    }
    t.equal(gateway.upstreams.arrived.length, 0, 'nothing arrived')
  },
)

flow(
  'what is judged is what is sent',
  {
    rows: ROWS,
    serve: async (req, res) => void res.end(await bodyOf(req)),
  },
  async (t, gateway) => {
    const body = '{ "path" :"/a\\u002fb", "n": 1.0 }'
    for (const shape of SHAPES) {
      const token = gateway.mint(`arg ${rowName('WRITE', shape)}.path prefix /a/`)
      t.equal(
        (await gateway.ask(shape, { token, ...post(body) })).text,
        body,
        `${shape}: byte for byte`,
      )
    }
  },
)
