import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startR2 } from '../../../helpers/r2.ts'
import { startFront, type Fate } from '../../objects/s3/front.ts'
import { openBucket } from '../../objects/s3/rig.ts'
import { makeFolder, segmentFiles } from '../rig.ts'
import { anchorIn, keysOf, openSigned } from './_rig.ts'

t.test('a real S3 that is away holds up nothing, and has all when it is back', async (t) => {
  t.setTimeout(120_000)
  const r2 = await startR2(t, 1)
  if (r2 === undefined) return
  const front = await startFront(t, r2.s3)
  const [folder, bucket] = [makeFolder(t), openBucket(t, front, r2.freshBucket())]
  const log = await openSigned(t, folder)
  const { anchor, news } = anchorIn(t, { folder, bucket, deadlineMs: 1500 })
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    const end = Date.now() + 30_000
    while (!(await isSo())) {
      if (Date.now() > end) return t.fail(`it never was so: ${JSON.stringify(anchor.stats())}`)
      await sleep(20)
    }
  }
  let checkpoints = 0
  const grow = async () => {
    await log.grow(12)
    checkpoints += 1
  }
  const due = () => segmentFiles(folder).length - 1 + checkpoints
  const isDrained = async () => (await keysOf(bucket)).length === due() && !anchor.stats().away
  await grow()
  await until(isDrained)
  const fates: readonly Fate[] = ['silence', 503, 'reset the upload', 'lose the answer']
  for (const fate of fates) {
    front.decide(({ method }) => (method === 'PUT' ? fate : undefined))
    const began = performance.now()
    await grow()
    t.ok(performance.now() - began < 5_000, `${fate}: nobody waited for it`)
    if (fate !== 'lose the answer') await until(() => anchor.stats().away)
    else await until(() => front.seen().includes('PUT lost'))
    front.decide(() => undefined)
    await until(isDrained)
  }
  t.same(new Set(news.map(({ kind }) => kind)), new Set(['away', 'back']), 'no fork among them')
  const keys = await keysOf(bucket)
  t.equal(keys.length, due(), 'each is there, once')
  t.equal(keys.filter((key) => key.includes('/checkpoints/')).length, checkpoints)
  const [first = ''] = keys
  const again = await bucket.put(first, 'another', { onlyIf: { etagDoesNotMatch: '*' } })
  t.equal(again, null, 'what lies there cannot be replaced so')
})
