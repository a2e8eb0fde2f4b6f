import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Bucket, ListOptions } from '../../../../adapters/objects/bucket.ts'
import { openBodyStore } from '../../../../adapters/objects/disk.ts'
import { blobPath } from '../../../../adapters/objects/folder.ts'
import { openLedgerBucket } from '../../../../adapters/objects/ledger/open.ts'
import type { BodyStore } from '../../../../adapters/objects/port.ts'
import { bytesOf, bytesOfLength, digest, hasBody } from '../../../conformance/buckets/store.ts'

const FOLDER = 'ledger/bodies/'
const SMALL = 64 * 1024

const folder = mkdtempSync(join(tmpdir(), 'ng-kept-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const bodies = await openBodyStore({ folder })
const index = { sync: async () => {}, get: async () => undefined }
const bucket = openLedgerBucket({ index, bodies })

async function keep(store: BodyStore, bytes: Buffer): Promise<string> {
  const writer = store.writer()
  if (!writer.write(bytes)) await writer.drained()
  const { sha256, kept } = await writer.finish()
  if (!kept) throw new Error('it was not kept')
  return sha256
}

async function keysOf(options: ListOptions): Promise<readonly string[]> {
  const keys: string[] = []
  let cursor: string | undefined
  do {
    const page = await bucket.list({ ...options, ...(cursor === undefined ? {} : { cursor }) })
    keys.push(...page.delimitedPrefixes, ...page.objects.map(({ key }) => key))
    cursor = page.cursor
  } while (cursor !== undefined)
  return keys
}

const whole = async (from: Bucket, key: string) => {
  const found = await from.get(key)
  return hasBody(found) ? bytesOf(found.body) : found
}

await t.test('a kept body is an object under its SHA-256, whole and in part', async (t) => {
  for (const size of [0, 1, SMALL, SMALL + 1, 1_000_000]) {
    const bytes = bytesOfLength(size)
    const sha256 = await keep(bodies, bytes)
    t.equal(sha256, digest('sha256', bytes))
    const key = FOLDER + sha256
    const head = await bucket.head(key)
    t.match(head, { key, size, etag: sha256, httpEtag: `"${sha256}"`, checksums: { sha256 } })
    t.ok(Math.abs((head?.uploaded ?? 0) - Date.now()) < 60_000)
    t.ok(Buffer.isBuffer(await whole(bucket, key)))
    t.ok(bytes.equals((await whole(bucket, key)) as Buffer), `${size} bytes`)
    t.equal(hasBody(await bucket.get(key, { onlyIf: { etagDoesNotMatch: sha256 } })), false)
    if (size < 2) continue
    const part = await bucket.get(key, { range: { offset: 1, length: size - 2 } })
    t.strictSame(part?.range, { offset: 1, length: size - 2 })
    t.ok(hasBody(part) && (await bytesOf(part.body)).equals(bytes.subarray(1, size - 1)))
    await t.rejects(bucket.get(key, { range: { offset: size } }), { code: 'InvalidRange' })
  }
})

await t.test('what is no hash, or no body, is nothing', async (t) => {
  const none = '0'.repeat(64)
  for (const key of [
    FOLDER + none,
    `${FOLDER}..`,
    `${FOLDER}new`,
    `${none}`,
    'ledger/bodies',
    `x/${FOLDER}${none}`,
  ])
    t.equal(await bucket.get(key), null, key)
  await t.rejects(bucket.put(FOLDER + none, 'x'), { code: 'AccessDenied' })
  await t.rejects(bucket.delete(FOLDER + none), { code: 'AccessDenied' })
})

await t.test('bytes that a power cut left wrong are not shown for what they are not', async (t) => {
  const sha256 = await keep(bodies, Buffer.from('right'))
  writeFileSync(blobPath(folder, sha256), 'wrong')
  t.equal(await bucket.get(FOLDER + sha256), null)
  t.equal(await bucket.get(FOLDER + sha256, { range: { offset: 1 } }), null)
})

await t.test('an erased body is no object any more', async (t) => {
  const sha256 = await keep(bodies, Buffer.from('to be erased'))
  await bodies
    .eraseOlder(Date.now() + 1000, async (body) => {
      if (body.sha256 !== sha256) throw new Error('not this one')
    })
    .catch(() => undefined)
  t.equal(await bucket.head(FOLDER + sha256), null)
  t.equal(await bucket.get(FOLDER + sha256), null)
})

await t.test('bodies are listed by their hashes, page by page', async (t) => {
  await Promise.all(Array.from({ length: 40 }, (_, at) => keep(bodies, Buffer.from(`b${at}`))))
  const all = await keysOf({ prefix: FOLDER })
  t.ok(all.length >= 40)
  t.strictSame(all, all.toSorted())
  t.strictSame(await keysOf({ prefix: FOLDER, limit: 7 }), all)
  const [third = ''] = all.slice(2)
  t.strictSame(await keysOf({ prefix: FOLDER, startAfter: third }), all.slice(3))
  t.strictSame(await keysOf({ prefix: FOLDER, startAfter: 'm' }), [])
  t.strictSame(await keysOf({ prefix: third }), [third], 'a whole key is its own prefix')
  const below = third.slice(0, FOLDER.length + 2)
  t.strictSame(
    await keysOf({ prefix: below }),
    all.filter((key) => key.startsWith(below)),
  )
  const page = await bucket.list({ prefix: FOLDER, include: ['body'] })
  for (const { key, size, bytes } of page.objects) {
    if (size > 256 * 1024) t.equal(bytes, undefined, 'a large one')
    else if (bytes !== undefined) t.equal(FOLDER + digest('sha256', Buffer.from(bytes)), key)
  }
  t.ok(page.objects.some(({ bytes }) => bytes !== undefined))
  for (const prefix of ['', 'ledger/', 'ledger/exchanges/', 'ledger/bodies'])
    await t.rejects(bucket.list({ prefix }), {
      code: 'InvalidArgument',
      message: /ledger\/bodies\//,
    })
})

await t.test('a disk that fails is told', async (t) => {
  const broken = openLedgerBucket({
    index,
    bodies: {
      find: async () => Promise.reject(new Error('EIO')),
      read: async () => undefined,
      list: async () => Promise.reject(new Error('EIO')),
    },
  })
  const fault = { code: 'InternalError', message: /bucket `ledger`: EIO/ }
  await t.rejects(broken.head(`${FOLDER}x`), fault)
  await t.rejects(broken.get(`${FOLDER}x`), fault)
  await t.rejects(broken.list({ prefix: FOLDER }), fault)
})
