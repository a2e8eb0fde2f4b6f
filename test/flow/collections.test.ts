import fc from 'fast-check'
import type { Test } from 'tap'
import {
  compileProjection,
  projectReference,
  type Cursors,
  type Want,
} from '../../catalog/index.ts'
import { narrowToken, nobleDigests } from '../../policy/index.ts'
import { flow, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { answerJson } from '../helpers/upstream.ts'
import { figures, paging } from './_wants.ts'

const id = { in: 'path', type: 'string', required: true } as const
const SETUP: Setup = {
  rows: [
    ...['A', 'B', 'C', 'D', 'E'].map((letter, at) => ({
      name: `ITEM_${letter}`,
      method: at % 2 === 0 ? 'GET' : 'POST',
      path: `/items/${letter}/{id}`,
      args: { properties: { id } },
      ...(at > 2 && { keep: 'hash' }),
      ...(at === 1 && { port: 81 }),
    })),
    { name: 'SECRET', method: 'GET', path: '/secret' },
  ],
  serve: (req, res) => answerJson(res, { url: req.url }),
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

async function post(gateway: TestGateway, token: string, path: string, form: unknown) {
  const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(form),
  })
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson ? JSON.parse(text) : text,
  } as Answer
}

const run = (gateway: TestGateway, token: string, form: unknown) =>
  post(gateway, token, '/g/run', form)

async function directory(t: Test, gateway: TestGateway) {
  const token = gateway.mint('tools = ITEM_*', 'uses <= 0')
  const list = await run(gateway, token, {
    target: 'directory',
    op: 'list',
    select: ['name'],
    order: ['-name'],
    page: { limit: 3 },
  })
  t.strictSame(
    list.body['rows'],
    ['ITEM_E_TLS', 'ITEM_E', 'ITEM_D_TLS'].map((name) => ({ name })),
  )
  t.match(list.headers.get('ledger-head'), /^[0-9a-f]{64}$/)
  t.equal(list.headers.get('receipt'), null)
  const next = await run(gateway, token, {
    target: 'directory',
    op: 'list',
    select: ['name'],
    order: ['-name'],
    page: { limit: 20, cursor: list.body['next'] },
  })
  t.match(next.body, { rows: { length: 7 }, next: null })
  const where = { name: 'ITEM_A' }
  const got = await run(gateway, token, { target: 'directory', op: 'get', where, select: ['path'] })
  t.strictSame(got.body, { row: { path: '/items/A/{id}' } })
  const hidden = { target: 'directory', op: 'get', where: { name: 'SECRET' } }
  t.match(await run(gateway, token, hidden), { status: 404, body: { code: 'not_found' } })
  const count = { target: 'directory', op: 'count', where: { method: 'GET', scheme: 'http' } }
  t.strictSame((await run(gateway, token, count)).body, { count: 3 })
  const batch = await post(gateway, token, '/g/batch', [
    { key: 'n', ...count },
    { key: 'gone', ...hidden },
  ])
  t.match(batch.body['results'], [
    { key: 'n', ok: true, output: { count: 3 } },
    { key: 'gone', ok: false, error: { code: 'not_found' }, receipt: /./ },
  ])
  const [first] = batch.body['results'] as readonly object[]
  t.notOk('receipt' in first!, 'to read is no call')
  const elsewhere = gateway.mint('ways = proxy')
  t.strictSame((await run(gateway, elsewhere, { target: 'directory', op: 'count' })).body, {
    count: 0,
  })
  const over = gateway.mint('expires < 2020-01-01T00:00:00Z')
  t.match(await run(gateway, over, count), { status: 403, body: { code: 'expired' } })
}

async function asReference(t: Test, gateway: TestGateway) {
  const token = gateway.mint('tools = ITEM_*')
  const all = await run(gateway, token, { target: 'directory', op: 'list' })
  const rows = all.body['rows'] as readonly unknown[]
  t.equal(rows.length, 10)
  const check = async (want: Want, member: 'rows' | 'figures') => {
    const { status, body } = await run(gateway, token, { target: 'directory', op: 'list', ...want })
    const compiled = compileProjection(want, { cursors: NO_CURSORS })
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems))
    const { result, page } = projectReference(rows, compiled.projection)
    t.strictSame([status, body[member]], [200, result], JSON.stringify(want))
    if (page !== undefined) t.equal(body['next'] === null, page.next === null)
  }
  const runs = { numRuns: 60 }
  await fc.assert(
    fc.asyncProperty(paging, (want) => check(want as Want, 'rows')),
    runs,
  )
  await fc.assert(
    fc.asyncProperty(figures, (want) => check(want as Want, 'figures')),
    runs,
  )
}

const NO_CURSORS: Cursors = { sign: () => 'signature', isOurs: () => true } as unknown as Cursors

async function ledger(t: Test, gateway: TestGateway) {
  const mine = gateway.mint('tools = ITEM_*')
  const narrow = narrowToken(mine, ['task = T-9'], nobleDigests)
  const other = gateway.mint('tools = ITEM_*')
  for (const [token, id] of [
    [mine, '1'],
    [narrow, '2'],
    [other, '3'],
  ] as const)
    await run(gateway, token, { tool: 'ITEM_A', args: { id } })
  const urls = async (token: string, more: object = {}) => {
    const form = { target: 'ledger', op: 'list', select: ['url'], order: ['opened'], ...more }
    const { body } = await run(gateway, token, form)
    return (body['rows'] as readonly { url: string }[]).map(({ url }) => url.slice(-1))
  }
  t.strictSame(await urls(narrow), ['1', '2'])
  t.strictSame(await urls(mine), ['1'], 'not of what was narrowed from it')
  t.strictSame(await urls(other), ['3'])
  t.strictSame(await urls(narrow, { where: { task: 'T-9' } }), ['2'])
  for (const where of [
    { or: [{ tool: 'ITEM_A' }, { link: { exists: true } }] },
    { and: [{ not: { link: 'x' } }] },
    { link: { ne: 'x' } },
  ])
    t.strictSame(await urls(mine, { where }), ['1'], 'no filter leads out of the chain')
  const count = await run(gateway, narrow, { target: 'ledger', op: 'count' })
  t.match(count.body, { count: 2, seq: Number, lag: Number })
  const foreign = await run(gateway, mine, { target: 'ledger', op: 'list', page: { limit: 1 } })
  const [row] = foreign.body['rows'] as readonly { id: string }[]
  const get = { target: 'ledger', op: 'get', where: { id: row?.id } }
  t.match((await run(gateway, mine, get)).body, { row: { id: row?.id, tool: 'ITEM_A' } })
  t.match(await run(gateway, other, get), { status: 404, body: { code: 'not_found' } })
  const aggregate = { count: true, by: ['outcome'] }
  const figures = await run(gateway, narrow, { target: 'ledger', op: 'list', want: { aggregate } })
  t.match(figures.body['figures'], [{ by: { outcome: 'allowed' }, count: 2 }])
  const bad = { target: 'ledger', op: 'list', where: { nothing: 1 } }
  t.match(await run(gateway, mine, bad), {
    status: 400,
    body: { code: 'unknown_field', reasons: [{ axis: 'where.nothing' }] },
  })
}

async function store(t: Test, gateway: TestGateway) {
  const token = gateway.mint('tools = STORE_*', 'area = notes', 'uses <= 20')
  const at = (key: string, op: string, more: object = {}) =>
    run(gateway, token, { target: 'store', op, where: { bucket: 'default', key }, ...more })
  const put = await at('notes/a b', 'put', { args: { json: { x: [1, 'ü'] } } })
  t.match(put, { status: 200, body: { key: 'notes/a b', size: 14 } })
  t.match(gateway.receipt(put.headers.get('receipt') ?? ''), {
    tool: 'STORE_PUT',
    envelope: { args: { bucket: 'default', key: 'notes/a b' } },
  })
  t.strictSame((await at('notes/a b', 'get')).body, { x: [1, 'ü'] })
  await at('notes/t', 'put', { args: { text: 'plain' } })
  t.equal((await at('notes/t', 'get')).body as unknown, 'plain')
  await at('notes/b', 'put', { args: { base64: '/wA=', content_type: 'image/x' } })
  t.equal((await at('notes/b', 'get')).headers.get('content-type'), 'image/x')
  const prefix = { bucket: 'default', key: { prefix: 'notes/' } }
  const form = { target: 'store', op: 'list', where: prefix, select: ['objects[].key'] }
  t.strictSame((await run(gateway, token, { ...form, page: { limit: 2 } })).body['objects'], [
    { key: 'notes/a b' },
    { key: 'notes/b' },
  ])
  t.match(await at('other/x', 'put', { args: { text: '' } }), { body: { code: 'area_outside' } })
  const dry = { args: { text: '' }, control: { dry_run: true } }
  t.match(await at('notes/dry', 'put', dry), { body: { allowed: true, tool: 'STORE_PUT' } })
  t.match(await at('notes/dry', 'get'), { status: 404 })
  const calls = [
    { key: 'd', target: 'store', op: 'delete', where: { bucket: 'default', key: 'notes/t' } },
  ]
  const batch = await post(gateway, token, '/g/batch', calls)
  t.match(batch.body['results'], [{ ok: true, receipt: /./ }])
  t.match(await at('notes/t', 'get'), { status: 404 })
  const none = gateway.mint('tools = ITEM_*')
  t.match(await run(gateway, none, form), { body: { code: 'tool_not_granted' } })
  for (const more of [
    { args: { text: 'a', json: 1 } },
    { args: {} },
    { args: { base64: 'a' } },
    { args: { text: 7 } },
    { args: { text: 'a', content_type: 'x\r\ny' } },
  ])
    t.match(await at('notes/x', 'put', more), { status: 400, body: { code: 'malformed_request' } })
  t.match(await at('notes/x', 'put', { args: { text: '', acl: 1 } }), {
    body: { code: 'unknown_field' },
  })
}

async function refused(t: Test, gateway: TestGateway) {
  const token = gateway.mint('tools = *')
  const unsupported = [
    { target: 'people', op: 'put', args: {} },
    { target: 'articles', op: 'put', args: {} },
    { target: 'directory', op: 'put' },
    { target: 'directory', op: 'delete' },
    { target: 'ledger', op: 'patch' },
    { target: 'ledger', op: 'delete' },
    { target: 'store', op: 'count' },
    { target: 'store', op: 'patch' },
    { target: 'directory', op: 'list', control: { dry_run: true } },
    { target: 'directory', op: 'list', want: { format: 'ndjson' } },
    { target: 'ledger', op: 'list', want: { shape: 'receipt' } },
    { target: 'directory', op: 'count', select: ['name'] },
    { target: 'directory', op: 'get', order: ['name'] },
    { target: 'store', op: 'list', where: { bucket: 'default' }, order: ['key'] },
  ]
  for (const form of unsupported)
    t.match(
      await run(gateway, token, form),
      { status: 400, body: { code: 'not_supported', ran: false } },
      JSON.stringify(form),
    )
  const malformed = [
    { target: 'directory', op: 'list', args: {} },
    { target: 'store', op: 'get', where: { bucket: 'default' } },
    { target: 'store', op: 'get', where: { bucket: 'default', key: { prefix: 'a/' } } },
    { target: 'store', op: 'list', where: { bucket: 'default', size: 1 } },
    { target: 'store', op: 'list' },
    { target: 'ledger', op: 'list', with: ['a'] },
  ]
  for (const form of malformed)
    t.match((await run(gateway, token, form)).status, 400, JSON.stringify(form))
  const small = { target: 'directory', op: 'list', want: { max_bytes: 10 } }
  t.match(await run(gateway, token, small), { status: 413, body: { code: 'too_large' } })
}

await flow('the gateway’s own collections', SETUP, async (t, gateway) => {
  await t.test('the directory, for whom', (t) => directory(t, gateway))
  await t.test('the directory answers as the plain reference', (t) => asReference(t, gateway))
  await t.test('the ledger, of one chain', (t) => ledger(t, gateway))
  await t.test('objects of the store', (t) => store(t, gateway))
  await t.test('what makes no sense', (t) => refused(t, gateway))
})
