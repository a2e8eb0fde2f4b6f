import fc from 'fast-check'
import t from 'tap'
import { explain } from '../../../gateway/why/explain.ts'
import { narrowToken, unsafeReadToken } from '../../../policy/index.ts'
import { liveKnock, openJudges, type Asked } from './_judges.ts'

const CASES = 10_000

const GUARDRAILS = `
@id("no-delete")
forbid (principal, action, resource in Host::"a.test") when { resource.method == "DELETE" };
@id("no-admin")
forbid (principal, action, resource) when { context.path like "*/admin*" };
@id("no-big")
forbid (principal, action, resource) when { context has models && context.models.contains("big") };
@id("overflow")
forbid (principal, action, resource) when { resource.port * 9223372036854775 > 9223372036854775000 };
`
const row = (name: string, method: string, path: string, more: object = {}) => ({
  name,
  method,
  path,
  summary: 'a row',
  host: 'a.test',
  ...more,
})
const CATALOG = {
  tools: [
    row('ITEM', 'GET', '/items/{id}', {
      args: { properties: { id: { in: 'path', type: 'integer' }, dir: { in: 'query' } } },
    }),
    row('WRITE', 'POST', '/items', { args: { properties: { path: { in: 'body' } } } }),
    row('CHAT', 'POST', '/chat', { model: 'model' }),
    row('RUN', 'POST', '/run', { runs: 'code' }),
  ],
}
const CONFIG = {
  unknown_hosts: 'refuse',
  upstreams: [
    { name: 'a', hosts: ['a.test', 'a.test:1000', 'a.test:2000'] },
    { name: 'b', hosts: ['b.test'], bears: { area: false, model: false } },
  ],
  catalog: ['./catalog.yaml'],
  guardrails: { files: ['./g.cedar'] },
}

const from = fc.constantFrom
const line = fc.oneof(
  { weight: 4, arbitrary: from('tools = *', 'tools = HTTP_*,ITEM,WRITE,CHAT', 'tools = HTTP_GET') },
  from('ways = proxy', 'ways = mount,mcp'),
  from(
    'expires < 2099-01-01T00:00:00Z',
    'expires < 2026-11-29T12:00:05Z',
    'expires < 2020-01-01T00:00:00Z',
  ),
  { weight: 2, arbitrary: from('uses <= 0', 'uses <= 1', 'uses <= 3', 'uses <= 100000') },
  from('task = T-7'),
  from('area = /src', 'area = /src,/lib'),
  { weight: 2, arbitrary: from('model = small,big', 'model = small') },
  fc.constant('person = alice'),
  from(
    'arg ITEM.id <= 10',
    'arg HTTP_GET.url_path prefix /pub',
    'arg WRITE.path = /src/a',
    'arg HTTP_GET.query.q = 1',
  ),
)
const lines = fc.array(line, { minLength: 1, maxLength: 4 })
const body = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  from(
    '{"path":"/src/a"}',
    '{"path":"/etc"}',
    '{"model":"small"}',
    '{"model":"big"}',
    '{"model":["small",1.5]}',
    '{"path":"/src/\\ud800"}',
    '{"a":1,"a":2}',
    'not json',
    '',
  ),
)
const asked: fc.Arbitrary<Asked> = fc
  .record({
    scheme: from<'http' | 'https'>('https', 'https', 'https', 'http'),
    host: fc.oneof(
      { weight: 15, arbitrary: from('a.test', 'a.test', 'b.test') },
      from('unknown.test'),
    ),
    port: from(443, 443, 443, 443, 80, 1000, 2000),
    method: from('GET', 'GET', 'POST', 'POST', 'DELETE', 'M-SEARCH'),
    path: from(
      '/',
      '/items/5',
      '/items/50',
      '/items/x',
      '/items',
      '/items',
      '/chat',
      '/chat',
      '/run',
      '/pub/x?q=1',
      '/pub/x?q=1&q=2',
      '/admin/x',
      '/items/5?dir=/src/a',
      '/items/5?dir=/etc',
    ),
    headers: fc.array(
      from<[string, string]>(
        ['want', 'a,b'],
        ['want', '{"select":5}'],
        ['narrowgate-session', 'ns1.x.y'],
        ['accept', '*/*'],
        ['x-a', 'b'],
        ['x-c', 'd'],
      ),
      { maxLength: 1 },
    ),
    body,
    type: from('application/json', 'application/json', 'text/plain'),
  })
  .map(({ type, ...rest }) => ({
    ...rest,
    headers:
      rest.body === undefined ? rest.headers : [...rest.headers, ['Content-Type', type] as const],
  }))

// About fifteen seconds of one core.
t.setTimeout(110_000)
t.test('why says of 10,000 calls what becomes of them', async (t) => {
  const judges = openJudges(t, CONFIG, {
    'catalog.yaml': JSON.stringify(CATALOG),
    'g.cedar': GUARDRAILS,
  })
  const { ports, exchange, grants, uses, time } = judges
  const now = Date.now()
  // A few hundred tokens, met again and again: what is remembered of them must not make a difference either.
  const tokens = fc.sample(lines, 300).map((each, at) => {
    const token = judges.mint(...each)
    if (at % 17 === 0) return `${token.slice(0, -4)}AAAA`
    return at % 5 === 0 ? narrowToken(token, ['uses <= 2']) : token
  })
  for (const [at, token] of tokens.entries()) {
    const { id } = unsafeReadToken(token)
    if (at % 13 === 0) await grants.revoke(id, 'test', now)
    if (at % 7 === 0)
      await grants.leash(id, ['tools = HTTP_*,ITEM', 'uses <= 5'], { by: 'test', now })
  }
  const seen = new Map<string, number>()
  const question = (
    token: string,
    { scheme, host, port, method, path, headers, body: text }: Asked,
  ) => ({
    token,
    method,
    url: `${scheme}://${host}:${port}${path}`,
    headers: Object.fromEntries(headers),
    body: text,
  })
  const usesOf = async (token: string) => {
    try {
      const { uses: counters } = ports.leash(ports.verifier.verify(token))
      return [...(await uses.read(counters.map(({ link }) => link)))]
    } catch {
      return []
    }
  }
  await fc.assert(
    fc.asyncProperty(from(...tokens), asked, from(0, 0, 0, 1), async (token, call, wait) => {
      time.now += wait
      const before = await usesOf(token)
      const said = await explain(question(token, call), ports)
      if (judges.takeRecords().length > 0) return false
      if (JSON.stringify(await usesOf(token)) !== JSON.stringify(before)) return false
      const reply = await exchange(liveKnock(token, call))
      const [record] = judges.takeRecords()
      const code = record?.['code']
      seen.set(String(code), (seen.get(String(code)) ?? 0) + 1)
      const lived = {
        allowed: reply.status === 204,
        ...(code === undefined ? {} : { code, reasons: record?.['reasons'] }),
      }
      const told = {
        allowed: said.allowed,
        ...(said.code === undefined ? {} : { code: said.code, reasons: said.reasons }),
      }
      if (JSON.stringify(told) !== JSON.stringify(lived))
        throw new Error(JSON.stringify({ told, lived }))
      return agrees(said)
    }),
    { numRuns: CASES },
  )
  const codes = [
    'undefined',
    'tool_not_granted',
    'way_not_granted',
    'expired',
    'revoked',
    'uses_spent',
    'area_outside',
    'model_not_granted',
    'person_mismatch',
    'arg_refused',
    'guardrail',
    'token_forged',
    'host_unknown',
    'malformed_request',
    'session_invalid',
  ]
  for (const code of codes)
    t.ok((seen.get(code) ?? 0) > 10, `${code} occurs: ${seen.get(code) ?? 0}`)
  t.equal(
    [...seen.values()].reduce((sum, many) => sum + many),
    CASES,
  )
})

/** The lines bear the decision out: a call whose lines all hold is not refused for one, and the reverse. */
function agrees({ allowed, lines: told, code }: Awaited<ReturnType<typeof explain>>): boolean {
  const refusing = told.filter(({ verdict }) => verdict === 'refuses')
  if (allowed) return refusing.length === 0 && told.every(({ verdict }) => verdict === 'holds')
  return code === 'uses_spent' ? refusing.length > 0 : true
}
