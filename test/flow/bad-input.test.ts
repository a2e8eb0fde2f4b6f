import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { flow, rowName } from '../helpers/gateway.ts'
import type { Setup, TestGateway } from '../helpers/gateway.ts'
import { forge } from '../helpers/forge.ts'
import { metricOf } from '../helpers/records.ts'
import { basic, HOST, MOUNT, openTls, openTunnel, SHAPES } from '../helpers/shapes.ts'
import type { Asked, Got, Shape } from '../helpers/shapes.ts'
import { bodyOf } from '../helpers/upstream.ts'

// What no client should send, at each door: its code, its status, its receipt, and an upstream that saw nothing.

const ROWS: Setup['rows'] = [
  { name: 'WRITE', method: 'POST', path: '/write', args: { properties: { path: { in: 'body', type: 'string' } } } },
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
  { name: 'a want that is no JSON', asked: { headers: { want: '{"select":' } }, status: 400, code: 'malformed_request' },
  { name: 'a selector that does not parse', asked: { headers: { want: 'a..b' } }, status: 400, code: 'malformed_request' },
  { name: 'an unknown field', asked: { headers: { want: '{"selekt":["a"]}' } }, status: 400, code: 'unknown_field' },
  { name: 'an operator that is none', asked: { headers: { want: '{"where":{"a":{"like":"x"}}}' } }, status: 400, code: 'unknown_field' },
  { name: 'what is not there yet', asked: { headers: { want: '{"want":{"shape":"receipt"}}' } }, status: 400, code: 'not_supported' },
  { name: 'a target that is too long', asked: { path: `/${'a'.repeat(17_000)}` }, status: 414, code: 'too_large' },
  { name: 'a judged body that is too long', asked: post(JSON.stringify({ path: 'x'.repeat(3000) })), status: 413, code: 'too_large' },
  { name: 'a judged body with a member twice', asked: post('{"path":"/a","path":"/b"}'), status: 400, code: 'malformed_request' },
  { name: 'a judged body that is no JSON', asked: post('{"path":'), status: 400, code: 'malformed_request' },
  { name: 'a judged body in a coding', asked: { ...post('x'), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }, status: 400, code: 'malformed_request' },
  { name: 'an argument in two places', asked: { ...post('{"path":"/a"}'), path: '/write?path=/b' }, status: 400, code: 'malformed_request' },
]

function assertRefused(t: Test, gateway: TestGateway, got: Got, expected: { status: number; code: string; name: string }): void {
  const { status, code, name } = expected
  t.same([got.status, got.header('refused')], [status, code], name)
  const document = JSON.parse(got.text) as { code: string; ran: unknown; receipt?: string; reasons: object[] }
  t.match(document, { code, ran: false, receipt: got.header('receipt') })
  t.ok(document.reasons.every((reason) => 'got' in reason && 'repair' in reason), 'with its repair')
  t.match(gateway.receipt(got.header('receipt')), { kind: 'refusal', outcome: 'refused', ran: false, code })
}

flow('requests that cannot be understood', {
  rows: ROWS,
  config: { limits: { judged_body_bytes: 2000 } },
}, async (t, gateway) => {
  for (const shape of SHAPES) {
    const lines = [`tools = HTTP_*,${rowName('WRITE', shape)}`, `arg ${rowName('WRITE', shape)}.path prefix /`]
    const token = gateway.mint(...lines)
    for (const { asked, name, ...expected } of BAD)
      assertRefused(t, gateway, await gateway.ask(shape, { token, ...asked }), { ...expected, name: `${shape}: ${name}` })
  }
  t.equal(gateway.upstreams.arrived.length, 0, 'nothing arrived')
})

const buildKeyOf = ({ state }: TestGateway) => readFileSync(`${state}/build.key`, 'utf8').trim()

/** Tokens of every bad kind, with the code of each. */
function badTokens(gateway: TestGateway): readonly (readonly [code: string, token: string])[] {
  const good = gateway.mint('tools = HTTP_*')
  const [head = '', payload = '', signature = ''] = good.split('.')
  const made = (...lines: string[]) => forge(buildKeyOf(gateway), 'made', lines)
  return [
    ['token_malformed', 'sk-some-other-key-0123456789'],
    ['token_malformed', `${head}.${payload}`],
    ['token_malformed', `${good}=`],
    ['token_malformed', `${head}.${payload}.${signature.slice(1)}`],
    ['token_malformed', `g2.${payload}.${signature}`],
    ['token_malformed', made(...Array.from({ length: 65 }, () => 'tools = HTTP_*'))],
    ['token_malformed', made(...Array.from({ length: 3 }, (_, at) => `tools = ${String(at).repeat(3000)}`))],
    ['token_forged', forge('another-build-key-of-32-bytes-00', 'made', ['tools = *'])],
    ['token_forged', `${head}.${payload}.${Buffer.alloc(32).toString('base64url')}`],
    ['token_unknown_caveat', made('tools = *', 'moon = full')],
    ['token_unknown_caveat', made('uses < 3')],
    ['token_unknown_caveat', made('task = T-7', 'task = T-8')],
    ['token_not_delegable', made('delegate = no', 'tools = HTTP_GET')],
    ['keys_misplaced', made('tools = *', 'keys = alice')],
  ]
}

flow('tokens of every bad kind', {}, async (t, gateway) => {
  for (const [code, token] of badTokens(gateway))
    for (const shape of ['absolute', 'mount'] as const) {
      const got = await gateway.ask(shape, { token })
      const direct = shape === 'absolute' ? 407 : 401
      const status = code === 'keys_misplaced' ? 403 : direct
      assertRefused(t, gateway, got, { status, code, name: `${shape}: ${code}` })
    }
  t.equal(gateway.upstreams.arrived.length, 0)
})

flow('tokens of every bad kind on CONNECT', {}, async (t, gateway) => {
  for (const [code, token] of badTokens(gateway)) {
    const refused = await openTunnel(gateway, token, `${HOST}:443`).catch((error: unknown) => error)
    t.match(refused, { status: code === 'keys_misplaced' ? 403 : 407 }, code)
    t.match(gateway.records().at(-1), { kind: 'refusal', code, ran: false, upstream: { method: 'CONNECT' } })
  }
})

flow('no credentials at all are a challenge and no receipt', {}, async (t, gateway) => {
  const proxied = await gateway.ask('absolute', { token: undefined })
  t.same([proxied.status, proxied.header('proxy-authenticate')], [407, 'Basic realm="narrowgate"'])
  const mounted = await gateway.ask('mount', { token: undefined })
  t.equal(mounted.status, 401)
  const refused = await openTunnel(gateway, undefined, `${HOST}:443`).catch((error: unknown) => error)
  t.match(refused, { status: 407 })
  t.equal(metricOf(await gateway.metrics(), 'narrowgate_requests_challenged_total'), 3)
  t.notOk(gateway.records().some(({ kind }) => kind === 'refusal'))
})

/** A connection on which the next bytes are a request in this shape. */
function rawIn(shape: Shape, gateway: TestGateway, token: string): Promise<Socket> {
  if (shape === 'tunnel-h1') return openTls(gateway, { token }, 'http/1.1')
  if (shape === 'tunnel-clear') return openTunnel(gateway, token, `${HOST}:80`)
  const socket = connect(gateway.proxyPort, '127.0.0.1')
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)))
}

interface RawBad {
  readonly name: string
  readonly fields: readonly string[]
  readonly status: number
  /** Undefined where the parser refuses, so that no exchange begins. */
  readonly receipted: boolean
}

const RAW: readonly RawBad[] = [
  { name: 'two Hosts', fields: [`Host: ${HOST}`, `Host: ${HOST}`], status: 400, receipted: true },
  { name: 'no Host', fields: [], status: 400, receipted: true },
  { name: 'a length and a coding', fields: [`Host: ${HOST}`, 'Content-Length: 5', 'Transfer-Encoding: chunked'], status: 400, receipted: false },
  { name: 'two lengths', fields: [`Host: ${HOST}`, 'Content-Length: 5', 'Content-Length: 6'], status: 400, receipted: false },
  { name: 'a coding under chunked', fields: [`Host: ${HOST}`, 'Transfer-Encoding: gzip, chunked'], status: 400, receipted: true },
  { name: 'a space before the colon', fields: [`Host: ${HOST}`, 'X-A : b'], status: 400, receipted: false },
  { name: 'a bare line feed in a field', fields: [`Host: ${HOST}`, 'X-A: b\n c'], status: 400, receipted: false },
  { name: 'a head that is too large', fields: [`Host: ${HOST}`, `X-A: ${'a'.repeat(70_000)}`], status: 431, receipted: false },
]

flow('requests that two parties could read differently', {}, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  for (const shape of SHAPES.filter((each) => each !== 'tunnel-h2'))
    for (const { name, fields, status, receipted } of RAW) {
      const before = gateway.records().length
      const socket = await rawIn(shape, gateway, token)
      socket.on('error', () => {})
      const target = { absolute: `http://${HOST}/`, mount: `${MOUNT}/` }[shape as string] ?? '/'
      const credential = shape === 'mount' ? `Authorization: Bearer ${token}` : `Proxy-Authorization: ${basic(`agent:${token}`)}`
      const inside = shape === 'tunnel-h1' || shape === 'tunnel-clear'
      const head = [`POST ${target} HTTP/1.1`, ...fields, ...(inside ? [] : [credential]), 'Connection: close']
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      let text = ''
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
      await once(socket, 'close')
      t.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), `${shape}: ${name}`)
      t.match(text, /refused: (?:malformed_request|headers_too_large)/i)
      t.equal(gateway.records().length - before, receipted ? 1 : 0, 'its receipt')
    }
  t.equal(gateway.upstreams.arrived.length, 0, 'nothing arrived')
})

flow('CONNECT to what is no authority', {}, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  for (const target of [HOST, `${HOST}:0`, `${HOST}:99999`, `http://${HOST}/`, `${HOST}:443/x`, '[::1', 'a b:443']) {
    const socket = connect(gateway.proxyPort, '127.0.0.1')
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${HOST}\r\nProxy-Authorization: ${basic(`agent:${token}`)}\r\n\r\n`)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    t.match(chunk.toString(), /^HTTP\/1\.1 400 [^]*refused: malformed_request/i, target)
    socket.destroy()
  }
  t.equal(gateway.upstreams.arrived.length, 0)
})

flow('a tunnel, a TLS name and a Host that do not agree', {}, async (t, gateway) => {
  const token = gateway.mint('tools = HTTP_*')
  for (const shape of SHAPES.filter((each) => each !== 'mount')) {
    const got = await gateway.ask(shape, { token, headers: { host: 'other.test' } })
    assertRefused(t, gateway, got, { status: 421, code: 'authority_mismatch', name: shape })
  }
})

flow('what is judged is what is sent', {
  rows: ROWS,
  serve: async (req, res) => void res.end(await bodyOf(req)),
}, async (t, gateway) => {
  const body = '{ "path" :"/a\\u002fb", "n": 1.0 }'
  for (const shape of SHAPES) {
    const token = gateway.mint(`arg ${rowName('WRITE', shape)}.path prefix /a/`)
    t.equal((await gateway.ask(shape, { token, ...post(body) })).text, body, `${shape}: byte for byte`)
  }
})
