import { DIRECT, FREE, NAMING, refuseCalls, refuseUpgrades } from './refusal-cases.ts'
import type { Case } from './refusal-cases.ts'
import type { Answering } from './recorder.ts'
import { wire } from './suite.ts'

// One form of refusal for every code, every status and every shape; the upstream's own errors have none of it.

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
  { code: 'too_large', status: 414, lines: FREE, asked: { path: `/${'a'.repeat(17_000)}` } },
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

const options = { answer, config: { limits: { drain_ms: 200, upstream_head_ms: 300 } } }

wire(
  'every code in every shape',
  async (t, bench) => {
    await refuseCalls(t, bench, CASES)
    const own = await bench.gateway.ask('absolute', { token: bench.token })
    t.same(
      [own.status, own.header('refused'), own.text],
      [403, undefined, 'no'],
      'the upstream’s own',
    )
  },
  options,
)

wire('every code on an upgrade', (t, bench) => refuseUpgrades(t, bench, CASES), options)
