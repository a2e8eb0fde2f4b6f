import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { default as t, type Test } from 'tap'
import type { Bucket } from '../../../../adapters/objects/port.ts'
import { notesOf, rewrite } from '../checkpoint/_stranger.ts'
import { makeFolder, segmentFiles } from '../rig.ts'
import { anchorIn, keysOf, openEmbedded, openSigned } from './_rig.ts'

/** Waits until it is so, for ten seconds at most. */
async function until(t: Test, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await isSo())) {
    if (Date.now() > end) return void t.fail('it never was so')
    await sleep(10)
  }
}

async function read(bucket: Bucket, key: string): Promise<string> {
  const object = await bucket.get(key)
  return object !== null && 'body' in object ? text(object.body) : ''
}

t.test('checkpoints and sealed segments lie in the bucket, byte for byte', async (t) => {
  const [folder, bucket] = [makeFolder(t), await openEmbedded(t)]
  const log = await openSigned(t, folder)
  for (let round = 0; round < 4; round += 1) await log.grow(8)
  const notes = notesOf(join(folder, log.writer, 'checkpoints.txt'))
  const sealed = segmentFiles(folder).slice(0, -1)
  t.ok(notes.length === 4 && sealed.length > 3)
  const { anchor, news } = anchorIn(t, { folder, bucket })
  await until(t, async () => (await keysOf(bucket)).length === notes.length + sealed.length)
  const place = `gate-1/${log.writer}`
  for (const note of notes) {
    const size = String(note.split('\n')[1]).padStart(16, '0')
    t.equal(await read(bucket, `${place}/checkpoints/${size}`), note)
  }
  for (const file of sealed)
    t.equal(await read(bucket, `${place}/segments/${file.slice(-12)}`), readFileSync(file, 'utf8'))
  await until(t, () => anchor.stats().backlog === 0)
  await log.grow(1)
  const all = notes.length + 1 + segmentFiles(folder).length - 1
  await until(t, async () => (await keysOf(bucket)).length === all)
  t.same(news, [])
  await until(t, () => anchor.stats().backlog === 0)
  t.same(anchor.stats(), { backlog: 0, away: false, forks: [] })
})

t.test('what was carried is not carried again, and may be', async (t) => {
  const [folder, bucket] = [makeFolder(t), await openEmbedded(t)]
  const log = await openSigned(t, folder)
  await log.grow(20)
  const puts: string[] = []
  const counting: Bucket = {
    ...bucket,
    put: (key, ...rest) => (puts.push(key), bucket.put(key, ...rest)),
  }
  const first = anchorIn(t, { folder, bucket: counting })
  await until(
    t,
    async () => (await keysOf(bucket)).length > 2 && first.anchor.stats().backlog === 0,
  )
  await first.anchor.close()
  const [sent] = [puts.length]
  t.same(puts, [...new Set(puts)], 'each once')
  t.same(
    puts.filter((key) => key.includes('/segments/')),
    puts.filter((key) => key.includes('/segments/')).toSorted(),
    'in order',
  )
  const second = anchorIn(t, { folder, bucket: counting })
  await sleep(100)
  t.equal(puts.length, sent, 'a restart knows how far it was')
  await second.anchor.close()
  rmSync(join(folder, log.writer, 'anchored.json'))
  const third = anchorIn(t, { folder, bucket: counting })
  await until(t, () => puts.length === 2 * sent)
  await until(t, () => third.anchor.stats().backlog === 0)
  t.same(third.news, [], 'what lies there already is its own')
})

t.test(
  'a bucket that is away holds up nothing, is told once, and gets all when it is back',
  async (t) => {
    const [folder, bucket] = [makeFolder(t), await openEmbedded(t)]
    const log = await openSigned(t, folder)
    let isAway: 'failing' | 'hanging' | 'no' = 'failing'
    const flaky: Bucket = {
      ...bucket,
      async put(...args) {
        if (isAway === 'failing') throw new Error('503')
        if (isAway === 'hanging') return new Promise(() => undefined)
        return bucket.put(...args)
      },
    }
    const { anchor, news } = anchorIn(t, { folder, bucket: flaky, deadlineMs: 400 })
    await log.grow(20)
    await until(t, () => anchor.stats().away)
    const before = anchor.stats().backlog
    t.ok(before > 2, `${before} wait`)
    isAway = 'hanging'
    await log.grow(20)
    await until(t, () => anchor.stats().backlog > before)
    t.match(news, [{ kind: 'away', error: { message: '503' } }])
    t.equal(news.length, 1)
    isAway = 'no'
    await until(t, () => anchor.stats().backlog === 0)
    await until(t, () => news.at(-1)?.kind === 'back')
    // A disk that is slow for a moment may be away once more; each change is told once.
    t.notOk(news.some(({ kind }, at) => kind === news[at - 1]?.kind))
    const due =
      segmentFiles(folder).length - 1 + notesOf(join(folder, log.writer, 'checkpoints.txt')).length
    t.equal((await keysOf(bucket)).length, due)
  },
)

t.test('an answer that was lost is no fork', async (t) => {
  const [folder, bucket] = [makeFolder(t), await openEmbedded(t)]
  const log = await openSigned(t, folder)
  await log.grow(20)
  let lost = 0
  const forgetful: Bucket = {
    ...bucket,
    async put(...args) {
      const done = await bucket.put(...args)
      if (done === null || (lost += 1) % 2 === 0) return done
      throw new Error('the connection broke behind the write')
    },
  }
  const { anchor, news } = anchorIn(t, { folder, bucket: forgetful })
  await until(t, () => lost > 2 && anchor.stats().backlog === 0 && !anchor.stats().away)
  t.notOk(news.some(({ kind }) => kind === 'forked'))
})

t.test('other bytes under the name of ours are an alarm, and stay', async (t) => {
  for (const what of ['a checkpoint', 'a segment'] as const)
    t.test(what, async (t) => {
      const [folder, bucket] = [makeFolder(t), await openEmbedded(t)]
      const log = await openSigned(t, folder)
      const { size } = await log.grow(20)
      const place = `gate-1/${log.writer}`
      const key =
        what === 'a segment'
          ? `${place}/segments/000002.ndlog`
          : `${place}/checkpoints/${String(size).padStart(16, '0')}`
      await bucket.put(key, 'something else')
      const { anchor, news } = anchorIn(t, { folder, bucket })
      await until(t, () => news.length > 0)
      await sleep(100)
      t.same(news, [{ kind: 'forked', key }])
      t.same(anchor.stats().forks, [key])
      t.ok(anchor.stats().backlog > 0, 'nothing behind it is carried')
      t.equal(await read(bucket, key), 'something else')
    })
})

t.test('a log that was rewritten after it was anchored is a fork', async (t) => {
  const [folder, bucket] = [makeFolder(t), await openEmbedded(t)]
  const log = await openSigned(t, folder)
  await log.grow(20)
  const first = anchorIn(t, { folder, bucket })
  await until(
    t,
    async () => (await keysOf(bucket)).length > 2 && first.anchor.stats().backlog === 0,
  )
  await first.anchor.close()
  await log.close()
  rewrite(folder, (json) => json.replace('"r-3"', '"r-x"'))
  // Whoever rewrites takes away what is signed, and what says how far it is anchored.
  for (const name of ['checkpoints.txt', 'anchored.json', 'tree'])
    rmSync(join(folder, log.writer, name))
  const again = await openSigned(t, folder)
  await again.grow(1)
  const second = anchorIn(t, { folder, bucket })
  await until(t, () => second.news.some(({ kind }) => kind === 'forked'))
  t.match(second.anchor.stats().forks, [new RegExp(`${log.writer}/segments/000001`)])
})
