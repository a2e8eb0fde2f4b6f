import t from 'tap'
import type { Bucket } from '../../../adapters/objects/bucket.ts'
import { createLate, lateBucket } from '../../../adapters/objects/late.ts'
import { readOnlyBucket } from '../../../adapters/objects/read-only.ts'
import { textOf } from '../../conformance/buckets/store.ts'
import { makePlace } from './embedded/rig.ts'

const bucket = (await (await makePlace(t)).open()).bucket('a')

await t.test('nothing is opened before the first call, and then once', async (t) => {
  let opened = 0
  const late = lateBucket(async () => {
    opened += 1
    return bucket
  })
  t.equal(opened, 0)
  await Promise.all([late.put('a', 'x'), late.head('b'), late.list()])
  t.equal(await textOf(late, 'a'), 'x')
  await late.delete('a')
  t.equal(await bucket.head('a'), null)
  t.equal(opened, 1)
})

await t.test('an opening that fails is tried again', async (t) => {
  let tries = 0
  const late = lateBucket(async () => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
    return bucket
  })
  await t.rejects(late.head('a'), { message: 'not yet' })
  t.equal(await late.head('a'), null)
  t.equal(tries, 2)
})

await t.test('what was never opened is closed without being opened', async (t) => {
  const closed: string[] = []
  const opening = async (name: string): Promise<Bucket> => ({
    ...bucket,
    close: async () => void closed.push(name),
  })
  await lateBucket(() => opening('never')).close()
  const used = lateBucket(() => opening('used'))
  await used.head('a')
  await used.close()
  t.strictSame(closed, ['used'])
  t.equal(await createLate(async () => 1).opened(), undefined)
})

await t.test('a bucket that can only be read refuses what would change it', async (t) => {
  await bucket.put('shown', 'x')
  const shown = readOnlyBucket(bucket)
  t.equal(await textOf(shown, 'shown'), 'x')
  t.equal((await shown.list({ prefix: 'shown' })).objects.length, 1)
  await t.rejects(shown.put('shown', 'y'), { code: 'AccessDenied' })
  await t.rejects(shown.delete('shown'), { code: 'AccessDenied' })
  t.equal(await textOf(bucket, 'shown'), 'x')
})
