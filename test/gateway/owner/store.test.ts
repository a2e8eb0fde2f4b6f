import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as send } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import type { Receipt } from '../../../adapters/ledger/port.ts'
import { openBodyStore } from '../../../adapters/objects/disk.ts'
import { openLedgerBucket } from '../../../adapters/objects/ledger/open.ts'
import { readOnlyBucket } from '../../../adapters/objects/read-only.ts'
import { makePlace } from '../../adapters/objects/embedded/rig.ts'
import { STORE_PATHS } from '../../../gateway/owner/openapi/paths/store.ts'
import { digest } from '../../conformance/buckets/store.ts'
import { createRig, EMPTY_INDEX, WITH_KEY, type Rig } from './_owner.ts'

interface Served extends Rig {
  readonly port: number
  ask(method: string, path: string, options?: Asking): Promise<Response>
}

interface Asking {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const place = await makePlace(t)
const buckets = await place.open()
const folder = mkdtempSync(join(tmpdir(), 'ng-kept-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const bodies = await openBodyStore({ folder })
let count = 0

/** The owner doors on a real socket, with a new bucket `a`, the same one to read alone, and what the ledger holds. */
async function serve(t: Test): Promise<Served> {
  const bucket = buckets.bucket(`b${(count += 1)}`)
  const receipt: Receipt = {
    id: 'r-1',
    seq: 1,
    outcome: 'allowed',
    opened: '2026-01-01T00:00:00.000Z',
  }
  const index = {
    ...EMPTY_INDEX,
    get: async (id: string) => (id === 'r-1' ? receipt : undefined),
  }
  const rig = createRig({
    buckets: new Map([
      ['a', bucket],
      ['shown', readOnlyBucket(bucket)],
      ['ledger', openLedgerBucket({ index, bodies })],
    ]),
  })
  await rig.app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => rig.app.close())
  const { port } = rig.app.server.address() as AddressInfo
  return {
    ...rig,
    port,
    ask: (method, path, { headers = {}, body } = {}) =>
      fetch(`http://127.0.0.1:${port}/api/store/${path}`, {
        method,
        headers: { ...WITH_KEY, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
  }
}

async function refusalOf(response: Response): Promise<readonly [number, unknown]> {
  const { code } = (await response.json()) as { readonly code: unknown }
  return [response.status, code]
}

t.test('an object goes in and comes out, with what HTTP says of it', async (t) => {
  const { ask, recorded } = await serve(t)
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-language': 'de-CH',
    'cache-control': 'max-age=60',
    expires: 'Fri, 15 Mar 2030 12:00:00 GMT',
    'x-meta-author': 'J. Müller',
    'X-Meta-Two': 'b',
  }
  const bytes = 'Grüezi'
  const put = await ask('PUT', 'a/x/y%20z.txt', { headers: inBytes(headers), body: bytes })
  const etag = `"${digest('md5', Buffer.from(bytes))}"`
  t.equal(put.status, 200)
  t.equal(put.headers.get('etag'), etag)
  t.match(await put.json(), { key: 'x/y z.txt', size: 7, etag: etag.slice(1, -1) })
  t.strictSame(recorded, [{ event: 'object_put', subject: `a/x/y z.txt`, data: {} }])
  for (const method of ['GET', 'HEAD']) {
    const got = await ask(method, 'a/x/y%20z.txt')
    t.equal(got.status, 200, method)
    t.match(Object.fromEntries(got.headers), {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '7',
      'content-language': 'de-CH',
      'cache-control': 'max-age=60',
      expires: 'Fri, 15 Mar 2030 12:00:00 GMT',
      etag,
      'accept-ranges': 'bytes',
      'last-modified': / GMT$/,
      'x-meta-two': 'b',
      'x-content-type-options': 'nosniff',
      'content-security-policy': /sandbox/,
    })
    const author = got.headers.get('x-meta-author') ?? ''
    t.equal(Buffer.from(author, 'latin1').toString(), 'J. Müller')
    t.equal(await got.text(), method === 'GET' ? bytes : '')
  }
})

t.test('what is not there is 404, and a delete is 204 either way', async (t) => {
  const { ask, recorded } = await serve(t)
  t.strictSame(await refusalOf(await ask('GET', 'a/none')), [404, 'not_found'])
  t.equal((await ask('HEAD', 'a/none')).status, 404)
  t.strictSame(await refusalOf(await ask('GET', 'none/x')), [404, 'not_found'])
  await ask('PUT', 'a/x', { body: '1' })
  t.equal((await ask('DELETE', 'a/x')).status, 204)
  t.equal((await ask('DELETE', 'a/x')).status, 204)
  t.equal((await ask('GET', 'a/x')).status, 404)
  t.strictSame(
    recorded.map(({ event }) => event),
    ['object_put', 'object_deleted', 'object_deleted'],
  )
})

t.test('conditions on a read: 304 to who has it, 412 to who has another', async (t) => {
  const { ask } = await serve(t)
  await ask('PUT', 'a/x', { body: 'one' })
  const etag = `"${digest('md5', Buffer.from('one'))}"`
  const [before, after] = [new Date(0), new Date(Date.now() + 3_600_000)].map((time) =>
    time.toUTCString(),
  ) as [string, string]
  const rows: readonly [Readonly<Record<string, string>>, number][] = [
    [{ 'if-match': etag }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': `"x", ${etag}` }, 200],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-match': `W/${etag}` }, 412],
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `W/${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-modified-since': after }, 304],
    [{ 'if-modified-since': before }, 200],
    [{ 'if-modified-since': 'yesterday, perhaps' }, 200],
    [{ 'if-unmodified-since': before }, 412],
    [{ 'if-unmodified-since': after }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': after }, 200],
    [{ 'if-match': etag, 'if-unmodified-since': before }, 200],
    [{ 'if-match': etag, 'if-none-match': etag }, 304],
    [{ 'if-match': 'plain' }, 400],
    [{ 'if-none-match': '"open' }, 400],
  ]
  const lastModified = (await ask('HEAD', 'a/x')).headers.get('last-modified') ?? ''
  for (const [headers, status] of [
    ...rows,
    [{ 'if-modified-since': lastModified }, 304] as const,
    [{ 'if-unmodified-since': lastModified }, 200] as const,
  ])
    for (const method of ['GET', 'HEAD']) {
      const got = await ask(method, 'a/x', { headers })
      t.equal(got.status, status, `${method} ${JSON.stringify(headers)}`)
      if (status === 304) t.equal(got.headers.get('etag'), etag)
      t.equal(await got.text().then((text) => text === 'one'), method === 'GET' && status === 200)
    }
})

t.test('conditions on a write: one creates, one replaces what it has seen', async (t) => {
  const { ask } = await serve(t)
  const create = { 'if-none-match': '*' }
  const ended = await Promise.all(
    Array.from({ length: 20 }, (_, at) => ask('PUT', 'a/x', { headers: create, body: `${at}` })),
  )
  t.equal(ended.filter(({ status }) => status === 200).length, 1)
  t.equal(ended.filter(({ status }) => status === 412).length, 19)
  const won = await (await ask('GET', 'a/x')).text()
  t.equal(ended[Number(won)]?.status, 200)
  const etag = `"${digest('md5', Buffer.from(won))}"`
  t.equal((await ask('PUT', 'a/x', { headers: { 'if-match': etag }, body: 'next' })).status, 200)
  const late = await ask('PUT', 'a/x', { headers: { 'if-match': etag }, body: 'late' })
  t.strictSame(await refusalOf(late), [412, 'precondition_failed'])
  t.equal(await (await ask('GET', 'a/x')).text(), 'next')
  const conditional = await ask('DELETE', 'a/x', { headers: { 'if-match': etag } })
  t.strictSame(await refusalOf(conditional), [400, 'not_supported'])
  t.equal((await ask('GET', 'a/x')).status, 200, 'it is still there')
})

t.test('a range is 206, none is 416, and a part of another state is the whole', async (t) => {
  const { ask } = await serve(t)
  await ask('PUT', 'a/x', { body: '0123456789' })
  const etag = `"${digest('md5', Buffer.from('0123456789'))}"`
  const rows: readonly [string, number, string, string | null][] = [
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['bytes=5-2', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ]
  for (const [range, status, text, contentRange] of rows) {
    const got = await ask('GET', 'a/x', { headers: { range } })
    t.strictSame(
      [got.status, await got.text(), got.headers.get('content-range')],
      [status, text, contentRange],
    )
  }
  for (const range of ['bytes=10-', 'bytes=-0']) {
    const got = await ask('GET', 'a/x', { headers: { range } })
    t.equal(got.headers.get('content-range'), 'bytes */10')
    t.strictSame(await refusalOf(got), [416, 'range_unsatisfiable'])
  }
  const part = async (known: string) => {
    const got = await ask('GET', 'a/x', { headers: { range: 'bytes=0-1', 'if-range': known } })
    return [got.status, await got.text()]
  }
  const modified = (await ask('HEAD', 'a/x')).headers.get('last-modified') ?? ''
  t.strictSame(await part(etag), [206, '01'])
  t.strictSame(await part(modified), [206, '01'])
  const [before, after] = [0, 2_000_000_000_000].map((ms) => new Date(ms).toUTCString()) as [
    string,
    string,
  ]
  for (const known of ['"other"', `W/${etag}`, before, after])
    t.strictSame(await part(known), [200, '0123456789'], known)
  t.equal((await ask('GET', 'a/none', { headers: { range: 'bytes=0-' } })).status, 404)
})

t.test('a list, page by page, with what is asked for', async (t) => {
  const { ask } = await serve(t)
  for (const key of ['a/1', 'a/2', 'b', 'c/1'])
    await ask('PUT', `a/${key}`, { headers: { 'x-meta-k': key }, body: key })
  const list = async (query: string) => (await ask('GET', `a?${query}`)).json()
  t.match(await list('delimiter=/'), { objects: [{ key: 'b', size: 1 }], prefixes: ['a/', 'c/'] })
  const first = (await list('prefix=a/&limit=1')) as { objects: object[]; next: string }
  t.match(first, { objects: [{ key: 'a/1' }], next: /./ })
  const next = encodeURIComponent(first.next)
  t.match(await list(`prefix=a/&limit=1&cursor=${next}`), { objects: [{ key: 'a/2' }], next: null })
  t.match(await list('start_after=b&include=custom_metadata,body'), {
    objects: [
      { key: 'c/1', custom_metadata: { k: 'c/1' }, body: Buffer.from('c/1').toString('base64') },
    ],
  })
  const [plain] = ((await list('limit=1')) as { objects: object[] }).objects
  t.strictSame(Object.keys(plain ?? {}), ['key', 'size', 'etag', 'version', 'uploaded'])
  t.equal((await ask('HEAD', 'a')).status, 200)
  for (const [query, code] of [
    ['limit=0', 'malformed_request'],
    ['limit=x', 'malformed_request'],
    ['limit=1&limit=2', 'malformed_request'],
    ['include=all', 'malformed_request'],
    ['cursor=x', 'malformed_request'],
    ['foo=1', 'unknown_field'],
    ['__proto__=1', 'unknown_field'],
  ] as const)
    t.strictSame(await refusalOf(await ask('GET', `a?${query}`)), [400, code], query)
})

t.test('what is wrong with a request is told, and nothing is stored', async (t) => {
  const { ask } = await serve(t)
  const md5 = Buffer.from(digest('md5', Buffer.from('right')), 'hex').toString('base64')
  const puts: readonly [string, Readonly<Record<string, string>>, readonly [number, string]][] = [
    ['a/x', { 'content-md5': md5 }, [400, 'malformed_request']],
    ['a/x', { 'content-md5': 'x' }, [400, 'malformed_request']],
    ['a/x', { 'x-meta-long': 'x'.repeat(9000) }, [413, 'too_large']],
    ['a/x?y=1', {}, [400, 'unknown_field']],
    [`a/${'k'.repeat(1025)}`, {}, [400, 'malformed_request']],
    ['a/x//y', {}, [400, 'malformed_request']],
    ['a/x%5Cy', {}, [400, 'malformed_request']],
    ['a/%2e%2e%2fb', {}, [400, 'malformed_request']],
    ['shown/x', {}, [403, 'read_only']],
    ['ledger/ledger/exchanges/r-1.json', {}, [403, 'read_only']],
    ['none/x', {}, [404, 'not_found']],
  ]
  for (const [path, headers, refused] of puts)
    t.strictSame(await refusalOf(await ask('PUT', path, { headers, body: 'wrong' })), refused, path)
  t.match(await (await ask('GET', 'a')).json(), { objects: [] })
  t.equal((await ask('PUT', 'a/x', { headers: { 'content-md5': md5 }, body: 'right' })).status, 200)
  t.strictSame(await refusalOf(await ask('DELETE', 'shown/x')), [403, 'read_only'])
  t.equal(await (await ask('GET', 'shown/x')).text(), 'right')
  t.strictSame(await refusalOf(await ask('POST', 'a/x', { body: 'x' })), [
    405,
    'method_not_allowed',
  ])
  t.strictSame(await refusalOf(await ask('PUT', 'a', { body: 'x' })), [405, 'method_not_allowed'])
})

t.test('an exchange is an object that can only be read', async (t) => {
  const { ask } = await serve(t)
  const got = await ask('GET', 'ledger/ledger/exchanges/r-1.json')
  t.equal(got.status, 200)
  t.equal(got.headers.get('last-modified'), 'Thu, 01 Jan 2026 00:00:00 GMT')
  t.match(await got.json(), { id: 'r-1', outcome: 'allowed' })
  const etag = got.headers.get('etag') ?? ''
  const again = await ask('GET', 'ledger/ledger/exchanges/r-1.json', {
    headers: { 'if-none-match': etag },
  })
  t.equal(again.status, 304)
  for (const key of ['ledger/exchanges/r-2.json', 'ledger/exchanges/r-1', 'r-1.json'])
    t.equal((await ask('GET', `ledger/${key}`)).status, 404, key)
  t.strictSame(await refusalOf(await ask('GET', 'ledger')), [400, 'malformed_request'])
})

t.test('a kept body is an object under its hash, and no page of this address', async (t) => {
  const { ask } = await serve(t)
  const writer = bodies.writer()
  writer.write(Buffer.from('<script>alert(1)</script>'))
  const { sha256 } = await writer.finish()
  const path = `ledger/ledger/bodies/${sha256}`
  const got = await ask('GET', path)
  t.strictSame([got.status, await got.text()], [200, '<script>alert(1)</script>'])
  t.match(Object.fromEntries(got.headers), {
    etag: `"${sha256}"`,
    'content-type': 'application/octet-stream',
    'content-security-policy': /sandbox/,
    'x-content-type-options': 'nosniff',
  })
  const part = await ask('GET', path, { headers: { range: 'bytes=1-6' } })
  t.strictSame([part.status, await part.text()], [206, 'script'])
  const list = await (await ask('GET', 'ledger?prefix=ledger/bodies/&include=body')).json()
  t.match(list, { objects: [{ key: `ledger/bodies/${sha256}`, size: 25 }], next: null })
  t.strictSame(await refusalOf(await ask('DELETE', path)), [403, 'read_only'])
  t.equal((await ask('GET', `ledger/ledger/bodies/${'0'.repeat(64)}`)).status, 404)
})

t.test('bodies of any size stream, in chunks or with a length', async (t) => {
  const { ask, port } = await serve(t)
  const block = randomBytes(1_000_000)
  const upload = send({ port, method: 'PUT', path: '/api/store/a/x', headers: WITH_KEY })
  for (let at = 0; at < 20; at += 1) if (!upload.write(block)) await once(upload, 'drain')
  upload.end()
  const [answer] = (await once(upload, 'response')) as [{ statusCode: number; resume(): void }]
  t.equal(answer.statusCode, 200)
  answer.resume()
  const got = await ask('GET', 'a/x')
  t.equal(got.headers.get('content-length'), '20000000')
  const bytes = Buffer.from(await got.arrayBuffer())
  t.ok(bytes.subarray(0, 1_000_000).equals(block) && bytes.subarray(-1_000_000).equals(block))
})

t.test('fields and the statuses that follow from them stand in the document', async (t) => {
  const { ask } = await serve(t)
  const etag = `"${digest('md5', Buffer.from('one'))}"`
  const [past, future] = [0, 2_000_000_000_000].map((ms) => new Date(ms).toUTCString()) as [
    string,
    string,
  ]
  await ask('PUT', 'a/x', { body: 'one' })
  const rows: readonly ['GET' | 'PUT', Readonly<Record<string, string>>, number][] = [
    ['GET', {}, 200],
    ['GET', { 'If-Match': '"x"' }, 412],
    ['GET', { 'If-None-Match': etag }, 304],
    ['GET', { 'If-Modified-Since': future }, 304],
    ['GET', { 'If-Unmodified-Since': past }, 412],
    ['GET', { Range: 'bytes=1-' }, 206],
    ['GET', { Range: 'bytes=1-', 'If-Range': '"x"' }, 200],
    ['GET', { Range: 'bytes=3-' }, 416],
    ['PUT', { 'If-Match': '"x"' }, 412],
    ['PUT', { 'If-None-Match': '*' }, 412],
    ['PUT', { 'If-Unmodified-Since': past }, 412],
    ['PUT', { 'If-Modified-Since': future }, 412],
    ['PUT', { 'Content-MD5': 'x' }, 400],
  ]
  const { get, put } = STORE_PATHS['/api/store/{bucket}/{key}']
  const asked = { GET: new Set<string>(), PUT: new Set<string>() }
  for (const [method, headers, status] of rows) {
    const name = `${method} ${JSON.stringify(headers)}`
    const got = await ask(method, 'a/x', { headers, ...(method === 'PUT' ? { body: 'two' } : {}) })
    t.equal(got.status, status, name)
    t.ok(Object.hasOwn((method === 'GET' ? get : put).responses, status), `${name}: documented`)
    for (const field of Object.keys(headers)) asked[method].add(field)
  }
  const namesOf = ({ parameters = [] }: typeof get) =>
    parameters.map((parameter) => (parameter as { readonly name: string }).name)
  t.same(namesOf(get).toSorted(), [...asked.GET].toSorted(), 'each field was asked with')
  t.same(namesOf(put).toSorted(), [...asked.PUT].toSorted(), 'each field was sent')
})

t.test('who breaks off in the midst of a body stores nothing', async (t) => {
  const { ask, port } = await serve(t)
  await ask('PUT', 'a/x', { body: 'before' })
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `PUT /api/store/a/x HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Narrowgate-Key: ${WITH_KEY['x-narrowgate-key']}\r\n` +
      `Content-Length: 1000000\r\n\r\n${'x'.repeat(500_000)}`,
  )
  await new Promise((resolve) => setTimeout(resolve, 200))
  socket.destroy()
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.equal(await (await ask('GET', 'a/x')).text(), 'before')
})

t.test('without the owner key there is nothing', async (t) => {
  const { port } = await serve(t)
  const plain = await fetch(`http://127.0.0.1:${port}/api/store/a/x`)
  t.strictSame(await refusalOf(plain), [401, 'owner_key_missing'])
})

/** As fetch wants fields: a byte a character. */
function inBytes(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  )
}
