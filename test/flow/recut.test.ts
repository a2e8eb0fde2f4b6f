import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Test } from 'tap'
import { narrowToken } from '../../policy/index.ts'
import { flow, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { askOwner, mintGrant } from '../helpers/owner.ts'
import { answerJson } from '../helpers/upstream.ts'

// A recorded answer cut again: for the owner, and for holders of tokens whose chain has the receipt's link.

const ROWS: Setup['rows'] = [
  { name: 'LIST', method: 'GET', path: '/list', only: ['items[].id', 'items[].name'] },
  { name: 'CHAT', method: 'POST', path: '/chat', model: 'model', want: { select: ['id'] } },
  { name: 'FORGET', method: 'GET', path: '/forget', keep: 'hash' },
  { name: 'AFTER', method: 'GET', path: '/after', want: { select: ['id'] }, keep: 'delivered' },
]

const ITEMS = { items: [1, 2, 3].map((id) => ({ id, name: `n${id}`, secret: 'SECRET' })) }

const SETUP: Setup = {
  rows: ROWS,
  serve(req, res) {
    if (req.url === '/page')
      return void res.writeHead(200, { 'content-type': 'text/html' }).end('<script>1</script>')
    if (req.url === '/zip') {
      res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      return void res.end(gzipSync(JSON.stringify(ITEMS)))
    }
    if (req.url === '/list' || req.url === '/plain') return void answerJson(res, ITEMS, 200)
    answerJson(res, { id: 7, name: 'n', more: [1, 2] }, 200)
  },
}

interface Read {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function read(url: string, headers: Record<string, string>): Promise<Read> {
  const answer = await fetch(url, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** As a holder asks, at the proxy's own port. */
function asHolder(
  { proxyPort }: TestGateway,
  token: string | undefined,
  id: string,
  want?: string,
): Promise<Read> {
  const query = want === undefined ? '' : `?want=${encodeURIComponent(want)}`
  const url = `http://127.0.0.1:${proxyPort}/ledger/exchanges/${id}.json${query}`
  return read(url, token === undefined ? {} : { authorization: `Bearer ${token}` })
}

function exchangesIn(gateway: TestGateway): number {
  return gateway.records().filter(({ kind }) => kind !== 'event').length
}

/** Another signature of the right form. */
function forged(token: string): string {
  const at = token.length - 20
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}

async function call(t: Test, gateway: TestGateway, token: string, path: string): Promise<string> {
  const got = await gateway.ask('absolute', { token, path })
  t.equal(got.status, 200, path)
  return got.header('receipt') ?? ''
}

flow('a kept answer is cut again, without a call and without a use', SETUP, async (t, gateway) => {
  const { token } = await mintGrant(gateway, 'tools = *', 'uses <= 3')
  const plain = await call(t, gateway, token, '/plain')
  const zipped = await call(t, gateway, token, '/zip')
  const arrived = gateway.upstreams.arrived.length
  const before = exchangesIn(gateway)
  for (const id of [plain, zipped]) {
    const cut = await asHolder(gateway, token, id, 'items[].id')
    t.same([cut.status, cut.text], [200, '{"items":[{"id":1},{"id":2},{"id":3}]}'])
    t.equal(cut.headers.get('projected'), `${JSON.stringify(ITEMS).length}->${cut.text.length}`)
    t.equal(cut.headers.get('receipt'), id)
    t.equal(cut.headers.get('cache-control'), 'no-store')
    const want = '{"where":{"id":{"gte":2}},"select":["items[].name"],"page":{"limit":1}}'
    t.match(JSON.parse((await asHolder(gateway, token, id, want)).text), {
      items: [{ name: 'n2' }],
      next: String,
    })
    const owner = await askOwner(gateway, 'GET', `/ledger/exchanges/${id}.json?want=items[].id`)
    t.same(owner.body, JSON.parse(cut.text))
  }
  t.match(JSON.parse((await asHolder(gateway, token, plain)).text), {
    id: plain,
    tool: 'HTTP_GET',
    outcome: 'allowed',
  })
  t.equal(gateway.upstreams.arrived.length, arrived, 'nothing ran')
  t.equal(exchangesIn(gateway), before, 'nothing was recorded')
  await call(t, gateway, token, '/plain')
  t.equal(
    (await gateway.ask('absolute', { token, path: '/plain' })).status,
    429,
    'three calls were the three uses',
  )
})

flow('what a row shows is all that is shown again', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = *')
  const id = await call(t, gateway, token, '/list')
  for (const want of [
    '*',
    'items[].secret',
    'items',
    '{"where":{"secret":"SECRET"},"select":["items[].id"]}',
  ]) {
    const held = await asHolder(gateway, token, id, want)
    t.notMatch(held.text, 'SECRET', want)
    const owned = await askOwner(
      gateway,
      'GET',
      `/ledger/exchanges/${id}.json?want=${encodeURIComponent(want)}`,
    )
    t.notMatch(JSON.stringify(owned.body), 'SECRET', want)
  }
  const bad = await asHolder(gateway, token, id, '{"were":1}')
  t.match(
    [bad.status, JSON.parse(bad.text)],
    [400, { code: 'unknown_field', reasons: [{ axis: 'were' }] }],
  )
})

flow('only a chain that has the link reads it', SETUP, async (t, gateway) => {
  const { id: grant, token } = await mintGrant(gateway, 'tools = *')
  const id = await call(t, gateway, token, '/plain')
  const child = narrowToken(token, ['tools = HTTP_GET'])
  const below = await call(t, gateway, child, '/plain')
  t.equal((await asHolder(gateway, child, id)).status, 200, 'a child reads what its parent did')
  t.equal((await asHolder(gateway, token, below)).status, 404, 'not the reverse')
  t.equal((await asHolder(gateway, gateway.mint('tools = *'), id)).status, 404, 'another grant')
  t.match(JSON.parse((await asHolder(gateway, gateway.mint('tools = *'), id, 'items')).text), {
    code: 'not_found',
    ran: false,
  })
  const expired = narrowToken(token, ['expires < 2020-01-01T00:00:00Z'])
  const someones = narrowToken(token, ['person = p_ada'])
  for (const [holder, status, code] of [
    [undefined, 401, 'token_missing'],
    ['g1.e30.x', 401, 'token_malformed'],
    [forged(token), 401, 'token_forged'],
    [expired, 403, 'expired'],
    [someones, 403, 'person_mismatch'],
  ] as const) {
    const got = await asHolder(gateway, holder, id)
    t.match([got.status, JSON.parse(got.text)], [status, { code }], code)
    t.equal(got.headers.get('refused'), code)
  }
  const stray = await read(
    `http://127.0.0.1:${gateway.proxyPort}/ledger/exchanges/${id}.json?wnat=x`,
    { authorization: `Bearer ${token}` },
  )
  t.match([stray.status, JSON.parse(stray.text)], [400, { code: 'unknown_field' }])
  await askOwner(gateway, 'POST', `/api/grants/${grant}/revoke`, {})
  t.match(JSON.parse((await asHolder(gateway, token, id)).text), { code: 'revoked' })
})

flow('what is not there any more is said', SETUP, async (t, gateway) => {
  const token = gateway.mint('tools = *')
  const cases: readonly (readonly [path: string, status: number, said: RegExp])[] = [
    ['/forget', 404, /body was not kept/],
    ['/page', 400, /text\/html/],
    ['/plain', 404, /erased since/],
  ]
  const ids = await Promise.all(cases.map(([path]) => call(t, gateway, token, path)))
  const bodies = join(gateway.state, 'bodies')
  for (const name of readdirSync(bodies, { recursive: true, encoding: 'utf8' }))
    if (/^[0-9a-f]{2}\/[0-9a-f]{62}$/.test(name)) rmSync(join(bodies, name))
  for (const [at, [path, status, said]] of cases.entries()) {
    const got = await asHolder(gateway, token, ids[at] ?? '', 'id')
    t.match([got.status, got.text], [status, said], path)
  }
  const refused = await gateway.ask('absolute', {
    token: narrowToken(token, ['tools = LIST']),
    path: '/plain',
  })
  const id = refused.header('receipt') ?? ''
  t.match(await askOwner(gateway, 'GET', `/ledger/exchanges/${id}.json?want=id`), {
    status: 404,
    body: { reasons: [{ got: /without an answer/ }] },
  })
})

flow(
  'what a client got is cut where that alone was kept; a model is told',
  SETUP,
  async (t, gateway) => {
    const token = gateway.mint('tools = *')
    const id = await call(t, gateway, token, '/after')
    t.equal((await asHolder(gateway, token, id, 'id,name')).text, '{"id":7}')
    const body = JSON.stringify({ model: 'm-1', messages: [] })
    const headers = { 'content-type': 'application/json' }
    const chat = await gateway.ask('absolute', {
      token,
      path: '/chat',
      method: 'POST',
      body,
      headers,
    })
    t.match(gateway.receipt(chat.header('receipt')), { model: 'm-1' })
    const { body: turns } = await askOwner(gateway, 'GET', '/api/ledger/turns?select=model,tool')
    t.match(turns, { rows: [{ model: 'm-1', tool: 'CHAT' }] })
  },
)
