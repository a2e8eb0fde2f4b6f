import t from 'tap'
import type { Receipt } from '../../../adapters/ledger/port.ts'
import { openExchangeBucket } from '../../../adapters/objects/exchanges.ts'
import { bytesOf, digest, hasBody, withoutBody } from '../../conformance/buckets/store.ts'

const open: Receipt = { id: 'r-1', seq: 1, outcome: 'open', opened: '2026-01-01T00:00:00.000Z' }
const KEY = 'ledger/exchanges/r-1.json'

t.test('an exchange is an object, and another one when it is closed', async (t) => {
  let receipt: Receipt = open
  let synced = 0
  const bucket = openExchangeBucket({
    sync: async () => void (synced += 1),
    get: async (id) => (id === 'r-1' ? receipt : undefined),
  })
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
  const bucket = openExchangeBucket({ sync: async () => {}, get: async () => open })
  for (const key of ['r-1.json', 'ledger/exchanges/r-1', 'ledger/exchanges/a/b.json', `x/${KEY}`])
    t.equal(await bucket.head(key), null, key)
  await t.rejects(bucket.get(''), { code: 'InvalidKey' })
  await t.rejects(bucket.put(KEY, 'x'), { code: 'ReadOnly' })
  await t.rejects(bucket.delete(KEY), { code: 'ReadOnly' })
  await t.rejects(bucket.list(), { code: 'InvalidArgument' })
})
