import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { Bucket } from '../../../../adapters/objects/bucket.ts'
import {
  bytesOf,
  bytesOfLength,
  digest,
  hasBody,
  textOf,
} from '../../../conformance/buckets/store.ts'
import { eventually } from '../../../helpers/eventually.ts'
import { startCluster } from '../../../helpers/postgres.ts'
import { openBuckets } from './rig.ts'

const LARGE = 600_000

const cluster = await startCluster(t)
if (cluster !== undefined) {
  /** How many bodies and pieces of bodies the database has. */
  const held = async (url: string) => {
    const [row] = await cluster.run(
      url,
      `SELECT (SELECT count(*) FROM narrowgate.blobs)::int AS blobs,
              (SELECT count(*) FROM narrowgate.blob_pieces)::int AS pieces`,
    )
    return [row?.['blobs'], row?.['pieces']]
  }

  await t.test(
    'the same bytes lie once, over keys and buckets, until nobody needs them',
    async (t) => {
      const url = await cluster.createDatabase()
      const buckets = await openBuckets(t, url, { graceMs: 0, sweepMs: 3_600_000 })
      const quick = () => cluster.run(url, 'SELECT narrowgate.sweep_blobs(0, 100) AS more')
      const [one, two] = [buckets.bucket('one'), buckets.bucket('two')]
      const bytes = bytesOfLength(LARGE)
      await Promise.all(
        ['a', 'b', 'c'].flatMap((key) => [one.put(key, bytes), two.put(key, bytes)]),
      )
      t.same(await held(url), [1, 3])
      await one.delete(['a', 'b', 'c'])
      await two.put('a', 'small')
      await two.delete('b')
      await quick()
      t.same(await held(url), [1, 3], 'one row is left that names it')
      const found = await two.get('c')
      t.ok(hasBody(found) && (await bytesOf(found.body)).equals(bytes))
      await two.put('c', bytesOfLength(LARGE, 'other'))
      t.same(await held(url), [2, 6])
      await quick()
      t.same(await held(url), [1, 3])
      await two.delete('c')
      for (let rounds = 0; rounds < 3; rounds += 1)
        await cluster.run(url, 'SELECT narrowgate.sweep_blobs(0, 2) AS more')
      t.same(await held(url), [0, 0], 'piece by piece')
    },
  )

  await t.test(
    'what was let go stays for those who read it, and is swept after that',
    async (t) => {
      const url = await cluster.createDatabase()
      const bucket = (await openBuckets(t, url, { graceMs: 1500, sweepMs: 50 })).bucket('a')
      await bucket.put('a', bytesOfLength(LARGE))
      await delay(1600)
      const found = await bucket.get('a')
      await bucket.put('a', 'small')
      await delay(300)
      const [blob] = await cluster.run(url, 'SELECT whole FROM narrowgate.blobs')
      t.match(blob, { whole: true }, 'who stores the same again need not send it')
      t.ok(
        hasBody(found) && (await bytesOf(found.body)).length === LARGE,
        'read after it was let go',
      )
      t.ok(await eventually(async () => (await held(url))[0] === 0))
      t.equal(await textOf(bucket, 'a'), 'small')
    },
  )

  await t.test('who reads what was swept away is told', async (t) => {
    const url = await cluster.createDatabase()
    const bucket = (await openBuckets(t, url)).bucket('a')
    await bucket.put('a', bytesOfLength(LARGE))
    const found = await bucket.get('a')
    await bucket.delete('a')
    await cluster.run(url, 'SELECT narrowgate.sweep_blobs(0, 100)')
    t.ok(hasBody(found))
    if (hasBody(found)) await t.rejects(bytesOf(found.body), { code: 'InternalError' })
  })

  await t.test(
    'who writes and who sweeps the same bytes never leave a row without them',
    async (t) => {
      const url = await cluster.createDatabase()
      const options = { graceMs: 100, sweepMs: 5 }
      const opened = [
        await openBuckets(t, url, options),
        await openBuckets(t, url, options),
      ] as const
      const bytes = bytesOfLength(LARGE)
      const work = async (bucket: Bucket, key: string) => {
        for (let round = 0; round < 8; round += 1) {
          await bucket.put(key, bytes)
          const found = await bucket.get(key)
          t.ok(hasBody(found) && (await bytesOf(found.body)).equals(bytes), `${key} ${round}`)
          await bucket.delete(key)
          await delay(150)
        }
      }
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((key, at) => work(opened[at % 2]!.bucket('x'), key)),
      )
      t.ok(await eventually(async () => (await held(url))[0] === 0))
    },
  )

  await t.test('a sweep passes by what a row is about to name', async (t) => {
    const url = await cluster.createDatabase()
    const bucket = (await openBuckets(t, url)).bucket('a')
    const bytes = bytesOfLength(LARGE)
    await bucket.put('a', bytes)
    await bucket.delete('a')
    const sha256 = digest('sha256', bytes)
    const naming = cluster.run(
      url,
      `BEGIN;
       INSERT INTO narrowgate.objects VALUES ('a', 'b', 'v', ${LARGE}, 'e', 0, '{}', '{}', '{}', NULL, '\\x${sha256}');
       SELECT pg_sleep(1);
       COMMIT`,
    )
    await delay(300)
    await cluster.run(url, 'SELECT narrowgate.sweep_blobs(0, 100)')
    await naming
    await cluster.run(url, 'SELECT narrowgate.sweep_blobs(0, 100)')
    const found = await bucket.get('b')
    t.ok(hasBody(found) && (await bytesOf(found.body)).equals(bytes))
  })

  await t.test('who comes while a body is swept away stores it anew', async (t) => {
    const url = await cluster.createDatabase()
    const bucket = (await openBuckets(t, url)).bucket('a')
    const bytes = bytesOfLength(LARGE)
    await bucket.put('a', bytes)
    await bucket.delete('a')
    const sweeping = cluster.run(
      url,
      `BEGIN; SELECT narrowgate.sweep_blobs(0, 100); SELECT pg_sleep(1); COMMIT`,
    )
    await delay(300)
    await bucket.put('b', bytes)
    await sweeping
    const found = await bucket.get('b')
    t.ok(hasBody(found) && (await bytesOf(found.body)).equals(bytes))
  })

  await t.test('a row cannot name a body that is not whole', async (t) => {
    const url = await cluster.createDatabase()
    await openBuckets(t, url)
    const insert = (whole: boolean) =>
      cluster.run(
        url,
        `INSERT INTO narrowgate.blobs VALUES ('\\x${whole ? '01' : '02'}', 1, 1, ${whole});
         INSERT INTO narrowgate.objects VALUES ('a', '\\x${whole ? '01' : '02'}', 'v', 1, 'e', 0, '{}', '{}', '{}', NULL,
           '\\x${whole ? '01' : '02'}')`,
      )
    await insert(true)
    await t.rejects(insert(false), { code: '23503' })
  })

  await t.test('a user who may not create stores, deletes and sweeps', async (t) => {
    const url = await cluster.createDatabase()
    await openBuckets(t, url)
    await cluster.run(
      url,
      `CREATE USER storing; GRANT USAGE ON SCHEMA narrowgate TO storing;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA narrowgate TO storing`,
    )
    const storing = url.replace('user=postgres', 'user=storing')
    const bucket = (await openBuckets(t, storing, { graceMs: 100, sweepMs: 20 })).bucket('a')
    await bucket.put('a', bytesOfLength(LARGE))
    t.equal((await bucket.list()).objects.length, 1)
    await bucket.delete('a')
    t.ok(await eventually(async () => (await held(url))[0] === 0))
  })

  await t.test('a database that is frozen is told within its deadline', async (t) => {
    const url = await cluster.createDatabase()
    const bucket = (await openBuckets(t, url, { deadlineMs: 400 })).bucket('a')
    await bucket.put('a', 'x')
    const began = performance.now()
    cluster.signal('SIGSTOP')
    const told = { code: 'InternalError' }
    await Promise.all([
      t.rejects(bucket.get('a'), told),
      t.rejects(bucket.put('b', bytesOfLength(LARGE)), told),
      t.rejects(bucket.list(), told),
    ])
    cluster.signal('SIGCONT')
    const took = Math.round(performance.now() - began)
    t.ok(took < 5_000, `${took} ms`)
    t.ok(await eventually(async () => (await textOf(bucket, 'a').catch(() => '')) === 'x'))
    t.ok(await eventually(async () => (await bucket.put('b', 'y').catch(() => null)) !== null))
    t.equal(await textOf(bucket, 'b'), 'y')
  })

  await t.test(
    'a database that does not answer is told, and is used again when it does',
    async (t) => {
      const url = await cluster.createDatabase()
      const bucket = (await openBuckets(t, url)).bucket('a')
      await bucket.put('a', 'x')
      await cluster.stop()
      const calls: readonly (() => Promise<unknown>)[] = [
        () => bucket.head('a'),
        () => bucket.get('a'),
        () => bucket.put('b', 'x'),
        () => bucket.put('b', bytesOfLength(LARGE)),
        () => bucket.list(),
        () => bucket.delete('a'),
      ]
      for (const call of calls)
        await t.rejects(call(), { code: 'InternalError', message: /bucket `a`: / })
      await cluster.start()
      t.ok(await eventually(async () => (await textOf(bucket, 'a').catch(() => '')) === 'x'))
    },
  )
}
