import { ERRORS } from '../../gateway/errors.ts'
import type { ErrorCode } from '../../gateway/errors.ts'
import { basic, finish, HOST, MOUNT, SHAPES } from '../helpers/shapes.ts'
import type { Asked, Shape } from '../helpers/shapes.ts'
import { readMessage, valuesOf } from './message.ts'
import type { Answering } from './recorder.ts'
import { wire } from './suite.ts'
import type { Bench } from './suite.ts'
import { converse, openTcp, UPGRADE } from './wires.ts'

// One form of refusal for every code, every status and every shape; the upstream's own errors have none of it.

interface Case {
  readonly code: ErrorCode
  /** Lines of the token; undefined for one that this gateway did not make. */
  readonly lines?: readonly string[]
  readonly token?: string
  readonly asked?: Omit<Asked, 'token'>
  readonly ran?: boolean | 'unknown'
  readonly on?: readonly Shape[]
}

const FREE = ['tools = HTTP_*']
const NAMING: readonly Shape[] = ['absolute', 'tunnel-h1', 'tunnel-h2', 'tunnel-clear']
// Inside a tunnel the credential was judged with the CONNECT.
const DIRECT: readonly Shape[] = ['absolute', 'mount']
const FORGED = `g1.${Buffer.from('{"i":"x","c":[]}').toString('base64url')}.${'A'.repeat(43)}`

const CASES: readonly Case[] = [
  { code: 'token_malformed', token: 'no-token', on: DIRECT },
  { code: 'token_forged', token: FORGED, on: DIRECT },
  { code: 'tool_not_granted', lines: ['tools = OTHER'] },
  { code: 'way_not_granted', lines: ['ways = mcp'] },
  { code: 'expired', lines: ['expires < 2020-01-01T00:00:00Z'] },
  { code: 'area_outside', lines: ['area = /src'] },
  { code: 'model_not_granted', lines: ['model = gpt-*'] },
  { code: 'person_mismatch', lines: ['person = alice'] },
  { code: 'arg_refused', lines: ['arg HTTP_GET.url_path = /other'] },
  { code: 'uses_spent', lines: ['uses <= 0'] },
  { code: 'address_refused', lines: FREE, asked: { host: 'localhost' }, on: NAMING },
  { code: 'malformed_request', lines: FREE, asked: { path: '/a%00' } },
  { code: 'malformed_request', lines: FREE, asked: { headers: { want: '{' } } },
  { code: 'unknown_field', lines: FREE, asked: { headers: { want: '{"selekt":["a"]}' } } },
  {
    code: 'not_supported',
    lines: FREE,
    asked: { headers: { want: '{"want":{"shape":"receipt"}}' } },
  },
  { code: 'too_large', lines: FREE, asked: { path: `/${'a'.repeat(17_000)}` } },
  {
    code: 'authority_mismatch',
    lines: FREE,
    asked: { headers: { host: 'other.test' } },
    on: NAMING,
  },
  { code: 'upstream_failed', lines: FREE, asked: { path: '/closed' }, ran: 'unknown' },
  { code: 'upstream_invalid', lines: FREE, asked: { path: '/invalid' }, ran: 'unknown' },
  { code: 'upstream_timeout', lines: FREE, asked: { path: '/silent' }, ran: 'unknown' },
]

const answer: Answering = ({ first }) => {
  if (first.includes('/closed')) return { bytes: '', end: true }
  if (first.includes('/invalid')) return { bytes: 'nonsense\r\n\r\n', end: true }
  if (first.includes('/silent')) return { bytes: '' }
  return {
    bytes: 'HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno',
    end: true,
  }
}

/** The shortest way to say what a client can read in a refusal, and what it should. */
function formOf({
  status,
  header,
  text,
}: {
  status: number
  header: (name: string) => string | undefined
  text: string
}) {
  const document = JSON.parse(text) as Record<string, unknown>
  const { type, title, code, refused, ran, reasons, receipt } = document
  const isComplete = (reason: Record<string, unknown>) =>
    ['axis', 'got', 'repair'].every(
      (name) => typeof reason[name] === 'string' && reason[name] !== '',
    )
  return {
    status: [status, document['status']],
    media: header('content-type'),
    code: [header('refused'), code],
    type,
    title,
    ran,
    refused,
    reasons: Array.isArray(reasons) && reasons.length > 0 && reasons.every(isComplete),
    receipt: typeof receipt === 'string' && receipt === header('receipt'),
  }
}

function wantedOf({ code, ran = false }: Case, shape: Shape) {
  const row = ERRORS[code]
  const status =
    code === 'too_large' ? 414 : row.status === 401 && shape === 'absolute' ? 407 : row.status
  return {
    status: [status, status],
    media: 'application/problem+json',
    code: [code, code],
    type: `urn:narrowgate:docs/errors#${code}`,
    title: row.title,
    ran,
    refused: ran === false,
    reasons: true,
    receipt: true,
  }
}

const options = { answer, config: { limits: { drain_ms: 200, upstream_head_ms: 300 } } }

wire(
  'every code in every shape',
  async (t, bench) => {
    for (const each of CASES)
      for (const shape of each.on ?? SHAPES) {
        const token = each.token ?? bench.gateway.mint(...(each.lines ?? FREE))
        const got = await finish(await bench.gateway.open(shape, { token, ...each.asked }))
        t.same(formOf(got), wantedOf(each, shape), `${shape}: ${each.code}`)
        t.equal(bench.gateway.receipt(got.header('receipt'))?.code, each.code, 'its receipt')
      }
    const own = await bench.gateway.ask('absolute', { token: bench.token })
    t.same(
      [own.status, own.header('refused'), own.text],
      [403, undefined, 'no'],
      'the upstream’s own',
    )
  },
  options,
)

/** The same cases, asked with an upgrade. */
async function upgradeWith(bench: Bench, { asked = {} }: Case, token: string, isMount: boolean) {
  const { path = '/', host = HOST, headers = {} } = asked
  const own = isMount
    ? `Authorization: Bearer ${token}\r\n`
    : `Proxy-Authorization: ${basic(`agent:${token}`)}\r\n`
  const target = isMount ? MOUNT + path : `http://${host}${path}`
  const { host: named = isMount ? 'gateway.test' : host, ...rest } = headers
  const fields = Object.entries(rest).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = `GET ${target} HTTP/1.1\r\nHost: ${named}\r\n${own}${UPGRADE}${fields.join('')}\r\n`
  const seen = await converse(await openTcp(bench.reach.proxyPort), bytes, { ms: 8_000 })
  const message = readMessage(seen.text)
  if (message === undefined) throw new Error(`no answer: ${seen.text}`)
  return {
    status: Number(message.first.slice(9, 12)),
    header: (name: string) => valuesOf(message.fields, name)[0],
    text: Buffer.from(message.body, 'latin1').toString('utf8'),
  }
}

wire(
  'every code on an upgrade',
  async (t, bench) => {
    for (const each of CASES)
      for (const shape of DIRECT.filter((one) => (each.on ?? SHAPES).includes(one))) {
        const token = each.token ?? bench.gateway.mint(...(each.lines ?? FREE))
        const got = await upgradeWith(bench, each, token, shape === 'mount')
        t.same(formOf(got), wantedOf(each, shape), `${shape}: ${each.code}`)
      }
  },
  options,
)
