import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { parquetReadObjects } from 'hyparquet'
import t, { type Test } from 'tap'
import type { SinkOptions } from '../../../adapters/exports/port.ts'
import type { Bucket } from '../../../adapters/objects/port.ts'
import { startR2 } from '../../helpers/r2.ts'
import { startFront, type Fate } from '../objects/s3/front.ts'
import { openBucket } from '../objects/s3/rig.ts'
import { createFeed, drained, makeFolder, start, type HandFeed } from './rig.ts'

const bucketTo = (more: object = {}): SinkOptions =>
  ({
    type: 'bucket',
    name: 'archive',
    bucket: 'b',
    prefix: 'ledger/',
    format: 'json',
    maxBytes: 65_536,
    maxSeconds: 1,
    ...more,
  }) as SinkOptions

async function filesIn(bucket: Bucket): Promise<ReadonlyMap<string, Buffer>> {
  const { objects } = await bucket.list({ prefix: 'ledger/' })
  const files = new Map<string, Buffer>()
  for (const { key } of objects) {
    const object = await bucket.get(key)
    if (object === null || !('body' in object)) throw new Error(`${key}: it has gone`)
    files.set(key, await buffer(object.body))
  }
  return files
}

async function idsIn(bucket: Bucket): Promise<readonly string[]> {
  return [...(await filesIn(bucket)).values()].flatMap((bytes) =>
    gunzipSync(bytes)
      .toString()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly id: string }).id),
  )
}

const wanted = ({ items }: HandFeed) => items.map(({ id }) => id)

const r2 = await startR2(t, 8)
if (r2 !== undefined) {
  const openSink = (t: Test, feed: HandFeed, bucket: Bucket, more: object = {}) =>
    start(t, feed, {
      folder: makeFolder(t),
      sinks: [bucketTo(more)],
      buckets: new Map([['b', bucket]]),
    })

  t.test('files go into a bucket in S3, each whole and once', async (t) => {
    const bucket = openBucket(t, r2.s3, r2.freshBucket())
    const feed = createFeed()
    feed.add(200)
    t.ok(await drained(openSink(t, feed, bucket)))
    t.same(await idsIn(bucket), wanted(feed))
    const [key = ''] = (await filesIn(bucket)).keys()
    t.match(key, /^ledger\/archive-000000000001-0000000000\d\d-[0-9a-f]{8}\.ndjson\.gz$/)
    t.match(await bucket.head(key), { httpMetadata: { contentType: 'application/gzip' } })
  })

  t.test('and as Parquet', async (t) => {
    const bucket = openBucket(t, r2.s3, r2.freshBucket())
    const feed = createFeed()
    feed.add(8)
    t.ok(await drained(openSink(t, feed, bucket, { format: 'parquet' })))
    const [bytes = Buffer.alloc(0)] = (await filesIn(bucket)).values()
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    })
    t.same(
      rows.map(({ uid }) => uid as string),
      wanted(feed),
    )
  })

  t.test(
    'a write whose answer is lost, or that is refused, is tried again and is there once',
    async (t) => {
      const front = await startFront(t, r2.s3)
      front.decide(({ method }, count) =>
        method === 'PUT' && count <= 2 ? 'lose the answer' : undefined,
      )
      const bucket = openBucket(t, front, r2.freshBucket())
      const feed = createFeed()
      feed.add(200)
      t.ok(await drained(openSink(t, feed, bucket), 60_000))
      t.same(await idsIn(bucket), wanted(feed))
    },
  )

  t.test('an S3 that does not answer, answers 503 or resets uploads loses nothing', async (t) => {
    const front = await startFront(t, r2.s3)
    const bucket = openBucket(t, front, r2.freshBucket())
    const feed = createFeed()
    feed.add(8)
    let fate: Fate = 'silence'
    front.decide(() => fate)
    const exports = openSink(t, feed, bucket)
    while (front.seen().length === 0) await delay(20)
    t.match(exports.status(), [{ backlog: 10, position: 0 }])
    fate = 503
    while (exports.status()[0]?.failures === 0) await delay(50)
    t.match(exports.status(), [{ backlog: 10, position: 0, error: /./ }])
    fate = 'reset the upload'
    while (!front.seen().includes('PUT reset')) await delay(50)
    fate = 'pass'
    t.ok(await drained(exports, 60_000))
    t.same(await idsIn(bucket), wanted(feed))
  })
}

t.test('a bucket that is not there is a fault of the start', async (t) => {
  t.throws(() => start(t, createFeed(), { folder: makeFolder(t), sinks: [bucketTo()] }), {
    message: 'export `archive`: there is no bucket `b`',
  })
})
