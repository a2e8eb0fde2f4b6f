import t from 'tap'
import type { Receipt } from '../../../../adapters/ledger/port.ts'
import { openLedgerBucket } from '../../../../adapters/objects/ledger/open.ts'
import { bytesOf, digest, hasBody, withoutBody } from '../../../conformance/buckets/store.ts'

const open: Receipt = { id: 'r-1', seq: 1, outcome: 'open', opened: '2026-01-01T00:00:00.000Z' }
const KEY = 'ledger/exchanges/r-1.json'
const bodies = {
  find: async () => undefined,
  read: async () => undefined,
  list: async () => [],
}

t.test('an exchange is an object, and another one when it is closed', async (t) => {
  let receipt: Receipt = open
  let synced = 0
  const index = {
    sync: async () => void (synced += 1),
    get: async (id: string) => (id === 'r-1' ? receipt : undefined),
  }
  const bucket = openLedgerBucket({ index, bodies })
  const first = await bucket.head(KEY)
  const bytes = Buffer.from(JSON.stringify(open))
  t.match(first, {
    key: KEY,
    size: bytes.length,
    etag: digest('md5', bytes),
    uploaded: Date.parse('2026-01-01T00:00:00Z'),
    checksums: { sha256: digest('sha256', bytes) },
    httpMetadata: { contentType: 'application/json' },
  })
  t.strictSame(await withoutBody(await bucket.get(KEY)), first)
  t.equal(synced, 2, 'what was durable is seen')
  receipt = { ...open, outcome: 'allowed', closed: '2026-01-01T00:00:01.000Z' }
  const onlyIf = { etagDoesNotMatch: first?.etag ?? '' }
  const closed = await bucket.get(KEY, { onlyIf })
  t.ok(hasBody(closed) && (await bytesOf(closed.body)).equals(Buffer.from(JSON.stringify(receipt))))
  t.equal(
    hasBody(await bucket.get(KEY, { onlyIf: { etagDoesNotMatch: closed?.etag ?? '' } })),
    false,
  )
  const part = await bucket.get(KEY, { range: { offset: 1, length: 4 } })
  t.strictSame(part?.range, { offset: 1, length: 4 })
  t.ok(hasBody(part) && (await bytesOf(part.body)).toString() === '"id"')
})

t.test('there is nothing else in it, and nothing is put there', async (t) => {
  const index = { sync: async () => {}, get: async () => open }
  const bucket = openLedgerBucket({ index, bodies })
  for (const key of ['r-1.json', 'ledger/exchanges/r-1', 'ledger/exchanges/a/b.json', `x/${KEY}`])
    t.equal(await bucket.head(key), null, key)
  await t.rejects(bucket.get(''), { code: 'InvalidObjectName' })
  await t.rejects(bucket.put(KEY, 'x'), { code: 'AccessDenied' })
  await t.rejects(bucket.delete(KEY), { code: 'AccessDenied' })
  await t.rejects(bucket.list(), { code: 'InvalidArgument' })
  const failing = openLedgerBucket({
    index: { ...index, get: async () => Promise.reject(new Error('the index is away')) },
    bodies,
  })
  await t.rejects(failing.get(KEY), { code: 'InternalError', message: /the index is away/ })
})
