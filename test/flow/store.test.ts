import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { narrowToken } from '../../policy/index.ts'
import { digest } from '../conformance/buckets/store.ts'
import { eventually, flow, portOf, type TestGateway } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'

interface Asking {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Asks the store at the holders' address. */
function asker({ gateway }: TestGateway) {
  const base = `http://127.0.0.1:${portOf(gateway.addresses.proxy)}/api/store`
  return (method: string, path: string, { token, headers = {}, body }: Asking = {}) =>
    fetch(`${base}/${path}`, {
      method,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body }),
    })
}

type Body = (t: Test, gateway: TestGateway) => Promise<void>

const bodies: [name: string, body: Body][] = []
const on = (name: string, body: Body) => bodies.push([name, body])

async function refusalOf(response: Response): Promise<readonly [number, unknown, unknown]> {
  const { code } = (await response.json()) as { readonly code?: unknown }
  return [response.status, code, response.headers.get('refused')]
}

on('a holder stores, reads, lists and deletes what its tools name', async (t, gateway) => {
  const ask = asker(gateway)
  const token = gateway.mint('tools = STORE_*', 'ways = rest', 'task = T-7')
  const headers = { 'content-type': 'text/plain', 'x-meta-by': 'me' }
  const put = await ask('PUT', 'default/a/b%20c', { token, headers, body: 'bytes' })
  t.equal(put.status, 200)
  const etag = put.headers.get('etag') ?? ''
  t.equal(etag, `"${digest('md5', Buffer.from('bytes'))}"`)
  const got = await ask('GET', 'default/a/b%20c', { token })
  t.strictSame([got.status, await got.text(), got.headers.get('x-meta-by')], [200, 'bytes', 'me'])
  t.equal(got.headers.get('refused'), null)
  const head = await ask('HEAD', 'default/a/b%20c', { token })
  t.strictSame([head.status, head.headers.get('content-length')], [200, '5'])
  const part = await ask('GET', 'default/a/b%20c', { token, headers: { range: 'bytes=1-2' } })
  t.strictSame([part.status, await part.text()], [206, 'yt'])
  const same = await ask('GET', 'default/a/b%20c', { token, headers: { 'if-none-match': etag } })
  t.equal(same.status, 304)
  const list = await ask('GET', 'default?prefix=a/&limit=5', { token })
  t.match(await list.json(), { objects: [{ key: 'a/b c', size: 5 }], next: null })
  const create = { 'if-none-match': '*' }
  const again = await ask('PUT', 'default/a/b%20c', { token, headers: create, body: 'x' })
  t.strictSame(await refusalOf(again), [412, 'precondition_failed', null], 'the store’s own answer')
  t.equal((await ask('DELETE', 'default/a/b%20c', { token })).status, 204)
  t.equal((await ask('GET', 'default/a/b%20c', { token })).status, 404)

  const receipt = gateway.receipt(put.headers.get('receipt') ?? undefined)
  t.match(receipt, {
    door: 'rest',
    tool: 'STORE_PUT',
    task: 'T-7',
    outcome: 'allowed',
    ran: true,
    status: 200,
    address: 'store',
    envelope: { target: 'STORE_PUT', args: { bucket: 'default', key: 'a/b c' } },
    upstream: { method: 'PUT', url: 'http://narrowgate.invalid/api/store/default/a/b%20c' },
    request: { bytes: 5, sha256: digest('sha256', Buffer.from('bytes')) },
  })
  t.match(gateway.receipt(got.headers.get('receipt') ?? undefined), {
    tool: 'STORE_GET',
    response: { bytes: 5, sha256: digest('sha256', Buffer.from('bytes')) },
  })
  t.match(gateway.receipt(list.headers.get('receipt') ?? undefined), {
    tool: 'STORE_LIST',
    envelope: { args: { bucket: 'default', prefix: 'a/', limit: 5 } },
  })
  t.match(gateway.receipt(again.headers.get('receipt') ?? undefined), {
    outcome: 'allowed',
    status: 412,
  })
  const notes = gateway.records().flatMap(({ request, response }) => [request, response])
  const kept = notes.filter((note) => note !== undefined && 'body' in (note as object))
  t.same(kept, [], 'the bytes are in the bucket, and not among the kept bodies')
  t.ok(
    bodies.some((note) => note !== undefined),
    'their hashes are recorded',
  )
})

on('without a token, or without the tool or way, there is nothing', async (t, gateway) => {
  const ask = asker(gateway)
  const none = await ask('GET', 'default/a')
  t.strictSame(await refusalOf(none), [401, 'token_missing', 'token_missing'])
  const writer = gateway.mint('tools = STORE_PUT,STORE_DELETE')
  const reader = gateway.mint('tools = STORE_GET,STORE_LIST')
  const proxied = gateway.mint('tools = STORE_*', 'ways = proxy,mount')
  const refused = async (code: string, method: string, path: string, asking: Asking) => {
    const response = await ask(method, path, asking)
    const name = `${method} ${path}`
    t.equal(response.headers.get('refused'), code, name)
    const id = response.headers.get('receipt') ?? undefined
    t.match(gateway.receipt(id), { outcome: 'refused', ran: false, code }, name)
    if (method === 'HEAD') return
    const { reasons } = (await response.json()) as { reasons: { repair?: string }[] }
    t.ok(reasons.length > 0 && reasons.every(({ repair = '' }) => repair !== ''), `${name}: repair`)
  }
  await refused('tool_not_granted', 'GET', 'default/a', { token: writer })
  await refused('tool_not_granted', 'HEAD', 'default/a', { token: writer })
  await refused('tool_not_granted', 'GET', 'default', { token: writer })
  await refused('tool_not_granted', 'PUT', 'default/a', { token: reader, body: 'x' })
  await refused('tool_not_granted', 'DELETE', 'default/a', { token: reader })
  await refused('way_not_granted', 'GET', 'default/a', { token: proxied })
  await refused('method_not_allowed', 'POST', 'default/a', { token: reader, body: 'x' })
  await refused('method_not_allowed', 'PUT', 'default', { token: writer, body: 'x' })
  t.equal((await ask('PUT', 'default/a', { token: writer, body: 'x' })).status, 200)
})

on('area and arg lines bound keys, prefixes and buckets', async (t, gateway) => {
  const ask = asker(gateway)
  const all = gateway.mint('tools = STORE_*')
  for (const key of ['T-7/a', 'T-7/3/b', 'T-70/c', 'd'])
    await ask('PUT', `default/${key}`, { token: all, body: key })
  const token = narrowToken(all, ['area = T-7'])
  const rows: readonly [string, string, number | string][] = [
    ['GET', 'default/T-7/a', 200],
    ['GET', 'default/T-7/3/b', 200],
    ['GET', 'default?prefix=T-7/', 200],
    ['GET', 'default?prefix=T-7/3/&delimiter=/', 200],
    ['DELETE', 'default/T-7/none', 204],
    ['GET', 'default/T-70/c', 'area_outside'],
    ['GET', 'default/d', 'area_outside'],
    ['DELETE', 'default/d', 'area_outside'],
    ['GET', 'default', 'area_outside'],
    ['GET', 'default?prefix=', 'area_outside'],
    ['GET', 'default?prefix=T-70/', 'area_outside'],
    ['GET', 'default?prefix=T-7/&prefix=d/', 'malformed_request'],
    ['GET', 'default?prefix=T-7', 'malformed_request'],
    ['GET', 'default?prefix=T-7/&prefix=T-7', 'malformed_request'],
    ['GET', 'default/T-7/..%2fd', 'malformed_request'],
    ['GET', 'default/T-7/%252e%252e/d', 'malformed_request'],
    ['GET', 'default/T-7//a', 'malformed_request'],
  ]
  for (const [method, path, expected] of rows) {
    const response = await ask(method, path, { token })
    const name = `${method} ${path}`
    if (typeof expected === 'number') t.equal(response.status, expected, name)
    else t.equal(response.headers.get('refused'), expected, name)
    const text = await response.text()
    if (response.ok) t.notMatch(text, /T-70|"d"/, `${name}: nothing beyond the area`)
  }
  const outside = await ask('PUT', 'default/d', { token, body: 'changed' })
  t.equal(outside.headers.get('refused'), 'area_outside', 'of bytes that are no JSON')
  t.equal((await ask('PUT', 'default/T-7/new', { token, body: randomBytes(10) })).status, 200)

  const bucketed = narrowToken(all, [
    'arg STORE_PUT.bucket = other',
    'arg STORE_PUT.key glob *.txt',
  ])
  t.equal((await ask('PUT', 'other/x.txt', { token: bucketed, body: '1' })).status, 200)
  for (const path of ['default/x.txt', 'other/x.bin']) {
    const response = await ask('PUT', path, { token: bucketed, body: '1' })
    t.equal(response.headers.get('refused'), 'arg_refused', path)
  }
  t.equal(await (await ask('GET', 'default/d', { token: all })).text(), 'd')
})

on('the body is bytes, and no arguments, whatever it says it is', async (t, gateway) => {
  const ask = asker(gateway)
  const token = gateway.mint('tools = STORE_*', 'area = in', 'arg STORE_PUT.key prefix in/')
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ key: '/etc/passwd', path: '../..', bucket: 'other' })
  t.equal((await ask('PUT', 'default/in/x.json', { token, headers, body })).status, 200)
  const cut = await ask('GET', 'default/in/x.json', { token, headers: { want: 'bucket' } })
  t.strictSame(
    [cut.status, await cut.json()],
    [200, { bucket: 'other' }],
    'what is asked for of it',
  )
})

on('uses are counted, and what was never stored gives nothing back', async (t, gateway) => {
  const ask = asker(gateway)
  const token = gateway.mint('tools = STORE_*', 'uses <= 2')
  t.equal((await ask('PUT', 'default/a', { token, body: 'x' })).status, 200)
  t.equal((await ask('GET', 'default/none', { token })).status, 404, 'it was asked all the same')
  const spent = await ask('GET', 'default/a', { token })
  t.equal(spent.headers.get('refused'), 'uses_spent')
})

on(
  'of holders that swap the same state one succeeds, and each leaves a receipt',
  async (t, gateway) => {
    const ask = asker(gateway)
    const token = gateway.mint('tools = STORE_*', 'area = swap')
    const first = await ask('PUT', 'default/swap/a', { token, body: 'before' })
    const headers = { 'if-match': first.headers.get('etag') ?? '' }
    const ended = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        ask('PUT', 'default/swap/a', { token, headers, body: `after ${at}` }),
      ),
    )
    const statuses = ended.map(({ status }) => status)
    t.strictSame(
      statuses.toSorted((a, b) => a - b),
      [200, ...Array<number>(19).fill(412)],
    )
    const got = await ask('GET', 'default/swap/a', { token })
    t.equal(await got.text(), `after ${statuses.indexOf(200)}`)
    const old = await ask('GET', 'default/swap/a', { token, headers })
    t.strictSame(await refusalOf(old), [412, 'precondition_failed', null])
    const receipts = ended.map(({ headers }) => gateway.receipt(headers.get('receipt') ?? ''))
    t.strictSame(
      receipts.map((receipt) => receipt?.['status']),
      statuses,
    )
    t.equal(new Set(receipts.map((receipt) => receipt?.['id'])).size, 20)
  },
)

on(
  'what was kept of a call is an object of the ledger, for the owner alone',
  async (t, gateway) => {
    const token = gateway.mint('tools = *')
    const called = await gateway.ask('absolute', { token, method: 'POST', body: 'what was asked' })
    const receipt = gateway.receipt(called.header('receipt'))
    const note = (part: string) => (receipt?.[part] ?? {}) as { body?: string; bytes?: number }
    const [asked, { body, bytes }] = [note('request'), note('response')]
    t.ok(body !== undefined && asked.body !== undefined, 'both were kept')
    const key = (hash = '') => `ledger/ledger/bodies/${hash}`
    const request = await askOwner(gateway, 'GET', `/api/store/${key(asked.body)}`)
    t.strictSame([request.status, request.body['text']], [200, 'what was asked'])
    const response = await askOwner(gateway, 'GET', `/api/store/${key(body)}`)
    t.strictSame([response.status, String(response.body['text']).length], [200, bytes])
    const listed = await askOwner(gateway, 'GET', `/api/store/ledger?prefix=${key(body).slice(7)}`)
    t.match(listed.body, { objects: [{ key: key(body).slice(7), size: bytes, etag: body }] })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const tried = await asker(gateway)(method, key(body), { token })
      t.strictSame(await refusalOf(tried), [404, 'not_found', null], method)
    }
    t.equal((await askOwner(gateway, 'DELETE', `/api/store/${key(body)}`)).status, 403)
  },
)

on('receipts are not among a holder’s buckets', async (t, gateway) => {
  const ask = asker(gateway)
  const token = gateway.mint('tools = STORE_*')
  const first = await ask('PUT', 'default/a', { token, body: 'x' })
  const id = first.headers.get('receipt') ?? ''
  const asHolder = await ask('GET', `ledger/ledger/exchanges/${id}.json`, { token })
  t.strictSame(await refusalOf(asHolder), [404, 'not_found', null])
  t.strictSame(await refusalOf(await ask('GET', 'evidence/a', { token })), [404, 'not_found', null])
  t.equal((await askOwner(gateway, 'GET', '/api/store/evidence')).status, 200)
  const asOwner = await askOwner(gateway, 'GET', `/api/store/ledger/ledger/exchanges/${id}.json`)
  t.match(asOwner.body, { id, tool: 'STORE_PUT' })
})

on('bodies of any size stream both ways, and a revocation ends them', async (t, gateway) => {
  const ask = asker(gateway)
  const token = gateway.mint('tools = STORE_*')
  const bytes = randomBytes(12_000_000)
  t.equal((await ask('PUT', 'default/large', { token, body: bytes })).status, 200)
  const got = await ask('GET', 'default/large', { token })
  t.ok(Buffer.from(await got.arrayBuffer()).equals(bytes))
  const { id } = gateway.receipt(got.headers.get('receipt') ?? undefined) ?? {}
  t.ok(id)
  const grant = String(gateway.receipt(id)?.['grant'])
  const slow = await ask('GET', 'default/large', { token })
  gateway.revoke(grant)
  const receipt = slow.headers.get('receipt') ?? undefined
  t.ok(await eventually(() => gateway.receipt(receipt)?.outcome !== undefined))
  await t.rejects(slow.arrayBuffer())
  t.match(gateway.receipt(receipt), { outcome: 'failed', code: 'revoked' })
})

on('the name that stands for the store is no host', async (t, gateway) => {
  const token = gateway.mint('tools = STORE_*,HTTP_*')
  await asker(gateway)('PUT', 'default/a', { token, body: 'x' })
  const host = 'narrowgate.invalid'
  const got = await gateway.ask('absolute', { token, host, path: '/api/store/default/a' })
  t.strictSame([got.status, got.header('refused')], [502, 'upstream_failed'])
  t.equal(gateway.receipt(got.header('receipt'))?.['tool'], 'HTTP_GET')
})

// One gateway for all of them: starting it takes longer than they do.
flow(
  'the store, for holders of tokens',
  {
    config: {
      buckets: [{ name: 'default' }, { name: 'other' }, { name: 'evidence' }],
      ledger: { anchor: { bucket: 'evidence' } },
    },
  },
  async (t, gateway) => {
    for (const [name, body] of bodies) await t.test(name, (t) => body(t, gateway))
  },
)
