import t from 'tap'
import type { Test } from 'tap'
import type { Bucket } from '../../../../adapters/objects/bucket.ts'
import { bytesOf, bytesOfLength, hasBody, textOf } from '../../../conformance/buckets/store.ts'
import { startR2 } from '../../../helpers/r2.ts'
import { startFront, type Decide, type Front } from './front.ts'
import { openBucket } from './rig.ts'

/** The answer to the first put does not arrive. */
const losing: Decide = ({ method }, count) =>
  method === 'PUT' && count === 1 ? 'lose the answer' : undefined

const r2 = await startR2(t, 20)
if (r2 !== undefined) {
  const on = (name: string, body: (t: Test, bucket: Bucket, front: Front) => Promise<void>) =>
    t.test(name, async (t) => {
      const front = await startFront(t, r2.s3)
      await body(t, openBucket(t, front, r2.freshBucket()), front)
    })

  for (const [size, seen] of [
    [4, ['PUT lost', 'PUT 412', 'HEAD 200']],
    [300_000, ['PUT lost', 'HEAD 200']],
  ] as const) {
    on(
      `a create of ${size} bytes whose answer is lost is known again`,
      async (t, bucket, front) => {
        front.decide(losing)
        const bytes = bytesOfLength(size)
        const onlyIf = { etagDoesNotMatch: '*' }
        const stored = await bucket.put('a', bytes, { onlyIf })
        t.match(stored, { key: 'a', size }, 'it was stored')
        t.match(front.seen(), seen)
        t.equal(await bucket.put('a', bytes, { onlyIf }), null, 'the same bytes are another write')
        t.strictSame(await bucket.head('a'), stored)
      },
    )
  }

  on(
    'where the answer is lost and another came before, the create is refused',
    async (t, bucket, front) => {
      await bucket.put('a', 'theirs')
      front.decide(losing)
      t.equal(await bucket.put('a', 'ours', { onlyIf: { etagDoesNotMatch: '*' } }), null)
      t.equal(await textOf(bucket, 'a'), 'theirs')
    },
  )

  for (const status of [503, 500, 429, 409]) {
    on(`what S3 puts off with ${status} is tried again`, async (t, bucket, front) => {
      const large = bytesOfLength(300_000)
      front.decide(({ method }, count) => (method === 'PUT' && count === 1 ? status : undefined))
      t.ok(await bucket.put('a', large))
      front.decide(({ method }, count) => (method === 'PUT' && count === 1 ? status : undefined))
      t.ok(await bucket.put('b', 'x', { onlyIf: { etagDoesNotMatch: '*' } }))
      const found = await bucket.get('a')
      t.ok(hasBody(found) && (await bytesOf(found.body)).equals(large))
    })
  }

  on('an S3 that fails for good is told, within its deadline', async (t, bucket, front) => {
    front.decide(() => 503)
    const calls: readonly (() => Promise<unknown>)[] = [
      () => bucket.head('a'),
      () => bucket.get('a'),
      () => bucket.put('a', 'x'),
      () => bucket.list(),
      () => bucket.delete('a'),
      () => bucket.delete(['a', 'b']),
    ]
    await Promise.all(
      calls.map((call) =>
        t.rejects(call(), { code: 'InternalError', message: /^bucket `bucket-\d+` in S3: / }),
      ),
    )
  })

  on('an S3 that says nothing is given up', async (t, bucket, front) => {
    front.decide(() => 'silence')
    const began = performance.now()
    await t.rejects(bucket.head('a'), {
      code: 'InternalError',
      message: /no answer within 10000 ms|abort/i,
    })
    const took = performance.now() - began
    t.ok(took > 9_000 && took < 15_000, `${Math.round(took)} ms`)
  })

  on('the bytes that come are those of the state that was judged', async (t, bucket, front) => {
    const first = await bucket.put('a', 'first')
    const meanwhile = async () => {
      front.decide(() => undefined)
      await bucket.put('a', 'second')
      return undefined
    }
    front.decide(({ method }) => (method === 'GET' ? meanwhile() : undefined))
    const found = await bucket.get('a', { onlyIf: { etagMatches: first?.etag ?? '' } })
    t.equal(hasBody(found), false, 'the condition holds no more')
    t.not(found?.etag, first?.etag)
  })

  on('a body that breaks off is an error of its stream', async (t, bucket, front) => {
    await bucket.put('a', bytesOfLength(200_000))
    front.decide(() => 'break the body')
    const found = await bucket.get('a')
    t.ok(hasBody(found))
    if (hasBody(found)) await t.rejects(bytesOf(found.body))
  })

  on(
    'a key of S3 that is wrong, and a bucket that is not there, are told without a secret',
    async (t, _bucket, front) => {
      const wrong = openBucket(
        t,
        { ...front, secretAccessKey: 'another-secret-key-0123456789' },
        r2.freshBucket(),
      )
      const calls: readonly (() => Promise<unknown>)[] = [
        () => wrong.head('a'),
        () => wrong.get('a'),
        () => wrong.list(),
        () => wrong.put('a', 'x'),
      ]
      for (const call of calls) {
        const error = await call().then(
          () => undefined,
          (error: unknown) => error as { code: string; message: string },
        )
        t.equal(error?.code, 'InternalError')
        t.notMatch(error?.message, /another-secret|test-secret/)
      }
      const none = openBucket(t, front, 'no-such-bucket')
      await t.rejects(none.list(), { code: 'InternalError', message: /bucket does not exist/ })
      await t.rejects(none.get('a'), { code: 'InternalError' })
      await t.rejects(none.delete('a'), { code: 'InternalError' })
    },
  )

  on('what HTTP cannot carry is refused before anything is sent', async (t, bucket, front) => {
    front.decide(() => undefined)
    const bad = [
      { customMetadata: { Upper: 'x' } },
      { customMetadata: { a: 'ü' } },
      { customMetadata: { a: ' x' } },
      { customMetadata: { 'narrowgate-md5': 'x' } },
      { httpMetadata: { cacheControl: 'ü' } },
      { httpMetadata: { cacheExpiry: 1_900_000_000_001 } },
    ]
    for (const options of bad)
      await t.rejects(
        bucket.put('a', 'x', options),
        { code: 'InvalidArgument' },
        JSON.stringify(options),
      )
    await t.rejects(bucket.put('a', 'x', { customMetadata: { a: 'x'.repeat(1900) } }), {
      code: 'MetadataTooLarge',
    })
    for (const key of ['a/../b', '.', '..', './a', 'a/.'])
      await t.rejects(bucket.put(key, 'x'), { code: 'InvalidObjectName', message: /segments/ })
    t.same(front.seen(), [])
  })
}
