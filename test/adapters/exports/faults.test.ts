import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openExports } from '../../../adapters/exports/open.ts'
import { eventually } from '../../helpers/eventually.ts'
import {
  createFeed,
  drained,
  makeFolder,
  openCollector,
  start,
  webhookTo,
  type Collector,
  type HandFeed,
  type Mood,
} from './rig.ts'

interface Event {
  readonly id: string
}

function idsOf({ taken }: Collector): readonly string[] {
  return taken.flatMap(({ body }) => (JSON.parse(body.toString()) as Event[]).map(({ id }) => id))
}

const wanted = ({ items }: HandFeed) => items.map(({ id }) => id)

const FAULTS: readonly (readonly [name: string, mood: Mood, why: RegExp])[] = [
  ['answers 500', { kind: 'status', status: 500 }, /the answer was 500/],
  ['redirects', { kind: 'status', status: 302, headers: { location: '/x' } }, /the answer was 302/],
  ['refuses it', { kind: 'status', status: 401 }, /the answer was 401/],
  ['is frozen', { kind: 'frozen' }, /no whole answer in time/],
  ['breaks off the request', { kind: 'reset', when: 'request' }, /the connection failed/],
  ['breaks off its answer', { kind: 'reset', when: 'answer' }, /the connection failed/],
  ['is too slow', { kind: 'slow', ms: 900 }, /no whole answer in time/],
]

for (const [name, mood, why] of FAULTS) {
  t.test(`a collector that ${name} loses nothing, and gets no batch under two names`, async (t) => {
    const feed = createFeed()
    const collector = await openCollector(t)
    collector.be(mood)
    feed.add(20)
    const exports = start(t, feed, { folder: makeFolder(t), sinks: [webhookTo(collector.url)] })
    while (exports.status()[0]?.error === undefined) await delay(10)
    t.match(exports.status(), [{ backlog: 25, position: 0, error: why }])
    feed.add(4)
    collector.be({ kind: 'good' })
    t.ok(await drained(exports))
    t.same([...new Set(idsOf(collector))], wanted(feed), 'in order')
    const byName = new Map(
      collector.taken.map(({ headers, body }) => [headers['webhook-id'], body.toString()]),
    )
    t.ok(
      collector.taken.every(
        ({ headers, body }) => byName.get(headers['webhook-id']) === body.toString(),
      ),
      'what came twice is the same under the same name',
    )
    const once = [...byName.values()].flatMap((body) => JSON.parse(body) as Event[])
    t.equal(once.length, feed.items.length, 'whoever looks at the name alone has each once')
    t.equal(exports.status()[0]?.error, undefined)
    t.match(exports.news, [{ kind: 'failing', why }, { kind: 'working' }], 'and it is told once')
  })
}

t.test('one that is down holds up no other', async (t) => {
  const feed = createFeed()
  const good = await openCollector(t)
  const down = await openCollector(t)
  await down.stop()
  feed.add(40)
  const sinks = [webhookTo(down.url, { name: 'down' }), webhookTo(good.url, { name: 'good' })]
  const exports = start(t, feed, { folder: makeFolder(t), sinks })
  while ((exports.status()[1]?.backlog ?? 1) > 0) await delay(10)
  t.same(idsOf(good), wanted(feed))
  t.match(exports.status(), [{ name: 'down', backlog: 50, error: /ECONNREFUSED/ }, { backlog: 0 }])
  const back = await openCollector(t, down.port)
  t.ok(await drained(exports))
  t.same(idsOf(back), wanted(feed), 'and gets all of it when it is back')
})

t.test('one that asks for a pause gets it', async (t) => {
  const feed = createFeed()
  const collector = await openCollector(t)
  collector.be({ kind: 'status', status: 429, headers: { 'retry-after': '2' } })
  feed.add(1)
  const exports = start(t, feed, { folder: makeFolder(t), sinks: [webhookTo(collector.url)] })
  while (exports.status()[0]?.failures === 0) await delay(5)
  const begun = performance.now()
  collector.be({ kind: 'good' })
  t.ok(await drained(exports))
  const waited = performance.now() - begun
  t.ok(waited > 1900, `${waited} ms`)
})

t.test('tries that fail come further and further apart', async (t) => {
  const feed = createFeed()
  const collector = await openCollector(t)
  collector.be({ kind: 'status', status: 503 })
  feed.add(1)
  start(t, feed, { folder: makeFolder(t), sinks: [webhookTo(collector.url)] })
  await delay(4000)
  // At 0, within 0.25 to 0.5, then 0.5 to 1, 1 to 2 and 2 to 4 seconds.
  t.ok(collector.asked() >= 3 && collector.asked() <= 5, String(collector.asked()))
})

/** Runs until the first batches are there, then stops or is cut off. */
async function interrupted(
  t: Test,
  feed: HandFeed,
  place: { folder: string; collector: Collector },
) {
  const { folder, collector } = place
  const exports = openExports({
    feed,
    folder,
    sinks: [webhookTo(collector.url)],
    buckets: new Map(),
    version: '1',
    onNews: () => undefined,
  })
  while (collector.taken.length < 2) await delay(1)
  await exports.close()
  t.ok(collector.taken.length < 10)
}

t.test('after a stop it goes on where it was', async (t) => {
  const feed = createFeed()
  const folder = makeFolder(t)
  const collector = await openCollector(t)
  collector.be({ kind: 'slow', ms: 50 })
  feed.add(80)
  await interrupted(t, feed, { folder, collector })
  collector.be({ kind: 'good' })
  t.ok(await drained(start(t, feed, { folder, sinks: [webhookTo(collector.url)] })))
  t.same(idsOf(collector), wanted(feed), 'each once: the batch under way was let end')
})

t.test('a batch is written down before it is sent', async (t) => {
  const feed = createFeed()
  const folder = makeFolder(t)
  const collector = await openCollector(t)
  collector.be({ kind: 'frozen' })
  feed.add(20)
  start(t, feed, { folder, sinks: [webhookTo(collector.url)] })
  while (collector.asked() === 0) await delay(1)
  const noted: unknown = JSON.parse(readFileSync(join(folder, 'hook.json'), 'utf8'))
  t.same(noted, { position: 0, id: null, until: 10 })
})

t.test('what was begun before a crash comes again as the same batch', async (t) => {
  const feed = createFeed()
  const folder = makeFolder(t)
  const file = join(folder, 'hook.json')
  feed.add(40)
  // As a crash leaves it between a batch and its acknowledgement.
  writeFileSync(file, '{"position":10,"id":"w_a:20","until":17}')
  const collector = await openCollector(t)
  t.ok(await drained(start(t, feed, { folder, sinks: [webhookTo(collector.url)] })))
  t.same(collector.taken.map(({ headers }) => headers['webhook-id']).slice(0, 2), [
    'w_a:22-w_a:34',
    'w_a:36-w_a:54',
  ])
  t.same(idsOf(collector), wanted(feed).slice(10))
  const end = '{"position":50,"id":"w_a:100","until":null}\n'
  t.ok(await eventually(() => readFileSync(file, 'utf8') === end), 'the cursor follows')
})

t.test('a cursor of another ledger is not believed: all comes, under its ids', async (t) => {
  const feed = createFeed('w_b')
  const folder = makeFolder(t)
  feed.add(8)
  for (const cursor of [
    '{"position":5,"id":"w_a:10","until":null}',
    '{"position":50,"id":"w_b:100","until":null}',
  ]) {
    writeFileSync(join(folder, 'hook.json'), cursor)
    const collector = await openCollector(t)
    const exports = start(t, feed, { folder, sinks: [webhookTo(collector.url)] })
    while (exports.news.length === 0) await delay(1)
    t.ok(await drained(exports))
    t.same(idsOf(collector), wanted(feed))
    t.match(exports.news, [{ sink: 'hook', kind: 'restarted' }])
    await exports.close()
  }
})

t.test('a cursor that is damaged stops the start', async (t) => {
  const folder = makeFolder(t)
  for (const text of ['', '{', '{"position":"5"}', '[]']) {
    writeFileSync(join(folder, 'hook.json'), text)
    t.throws(() => start(t, createFeed(), { folder, sinks: [webhookTo('http://127.0.0.1:1/')] }), {
      message: /export cursor .*hook\.json: it is damaged/,
    })
  }
})

t.test('a stop does not wait for a collector that is frozen', async (t) => {
  const feed = createFeed()
  const collector = await openCollector(t)
  collector.be({ kind: 'frozen' })
  feed.add(4)
  const sinks = [webhookTo(collector.url, { deadlineMs: 60_000 })]
  const exports = start(t, feed, { folder: makeFolder(t), sinks })
  while (collector.asked() === 0) await delay(5)
  const begun = performance.now()
  await exports.close()
  t.ok(performance.now() - begun < 4000)
})
