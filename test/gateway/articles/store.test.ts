import t from 'tap'
import { createArticles, type ArticleEvent } from '../../../gateway/articles/store.ts'
import { OtherHash } from '../../../gateway/articles/faults.ts'
import { refusal } from '../../../gateway/refusal.ts'
import { makePlace } from '../../adapters/objects/embedded/rig.ts'

const place = await makePlace(t)
const [here, there] = [await place.open(), await place.open()]
const clock = { now: () => Date.parse('2026-01-01T00:00:00Z') }
const events: ArticleEvent[] = []
const record = async (event: ArticleEvent) => void events.push(event)
const first = createArticles({ bucket: here.bucket('a'), clock, record })
const second = createArticles({ bucket: there.bucket('a'), clock, record })

t.test('of two gateways one comes through', async (t) => {
  for (let round = 0; round < 10; round += 1) {
    const slug = `r${round}`
    const born = await Promise.allSettled(
      [first, second].map((articles, at) => articles.create({ slug, title: `t${at}` })),
    )
    t.equal(born.filter(({ status }) => status === 'fulfilled').length, 1)
    const { hash } = (await second.get(slug))!
    const target = { slug, hashes: [hash] }
    const ends = await Promise.allSettled([
      first.change(target, { patch: { title: 'x' } }),
      second.change(target, { whole: { slug, title: 'y' } }),
      first.remove(target),
    ])
    t.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const end of ends)
      if (end.status === 'rejected' && end.reason instanceof OtherHash)
        t.equal(end.reason.hash, (await first.get(slug))?.hash, 'the loser is told what it is now')
  }
})

t.test('what cannot be recorded is not done', async (t) => {
  const bucket = here.bucket('b')
  const { hash } = await createArticles({ bucket, clock, record }).create({ slug: 'a', title: 'A' })
  const mute = createArticles({
    bucket,
    clock,
    record: async () => {
      throw refusal('ledger_unavailable', 'ledger', { got: 'a full disk', repair: 'free space' })
    },
  })
  const target = { slug: 'a', hashes: [hash] }
  const refused = { code: 'ledger_unavailable' }
  await t.rejects(mute.create({ slug: 'b', title: 'B' }), refused)
  await t.rejects(mute.change(target, { patch: { title: 'B' } }), refused)
  await t.rejects(mute.remove(target), refused)
  t.match(await mute.list(), [{ slug: 'a', title: 'A', hash }])
  t.equal((await mute.list()).length, 1)
})

t.test('what others put there is no article', async (t) => {
  const bucket = here.bucket('c')
  const articles = createArticles({ bucket, clock, record })
  const made = await articles.create({ slug: 'a', title: 'A' })
  const odd = { code: 'store_unavailable' }
  for (const text of ['{', '{}', JSON.stringify({ ...made, title: 'B' })]) {
    await bucket.put('a.json', text)
    await t.rejects(articles.get('a'), odd, text)
  }
  await bucket.put('b.json', JSON.stringify(made))
  await t.rejects(articles.get('b'), odd, 'another one’s')
  await bucket.put('a.json', JSON.stringify(made))
  t.match(await articles.get('a'), made)
})

t.test('all are listed, however many there are', async (t) => {
  const bucket = here.bucket('d')
  const articles = createArticles({ bucket, clock, record })
  const long = Array.from({ length: 12 }, () => ({ type: 'text', text: 'x'.repeat(20_000) }))
  // Together more than one listing brings bodies of.
  const slugs = Array.from({ length: 71 }, (_, at) => `s${String(at).padStart(3, '0')}`)
  for (const slug of slugs) await articles.create({ slug, title: slug, blocks: long })
  t.strictSame(
    (await articles.list()).map(({ slug }) => slug),
    slugs,
  )
})
