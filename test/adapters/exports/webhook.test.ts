import { createHmac } from 'node:crypto'
import t from 'tap'
import {
  createFeed,
  drained,
  makeFolder,
  openCollector,
  start,
  webhookTo,
  type Taken,
} from './rig.ts'

type Event = Readonly<Record<string, unknown>>

const eventsIn = ({ body }: Taken) => JSON.parse(body.toString()) as readonly Event[]

t.test('items come in batches of CloudEvents, in order', async (t) => {
  const feed = createFeed()
  const collector = await openCollector(t)
  feed.add(20)
  const exports = start(t, feed, { folder: makeFolder(t), sinks: [webhookTo(collector.url)] })
  t.ok(await drained(exports))
  t.same(
    collector.taken.map((each) => eventsIn(each).length),
    [10, 10, 5],
  )
  const [taken] = collector.taken
  t.equal(taken?.headers['content-type'], 'application/cloudevents-batch+json; charset=utf-8')
  t.equal(taken?.headers['authorization'], 'Bearer of-the-collector')
  const events = collector.taken.flatMap(eventsIn)
  t.same(
    events.map(({ id }) => id),
    feed.items.map(({ id }) => id),
  )
  t.strictSame(
    events.map(({ data }) => data),
    feed.items.map(({ json }) => JSON.parse(json) as unknown),
  )
  const { data: _, ...first } = events[0] ?? {}
  t.strictSame(first, {
    specversion: '1.0',
    id: 'w_a:2',
    source: '/ledger/w_a',
    type: 'dev.narrowgate.receipt',
    time: '2026-11-29T12:00:01.025Z',
    subject: '0199d2c4-0000-7000-8000-000000000001',
    sequence: '0000000000000001',
    dataref: '/ledger/exchanges/0199d2c4-0000-7000-8000-000000000001.json',
    datacontenttype: 'application/json',
  })
  t.match(events[4], { type: 'dev.narrowgate.event', subject: 'g_1' })
  t.notOk('dataref' in (events[4] ?? {}))
  t.match(exports.status(), [{ position: 25, backlog: 0, delivered: 25, failures: 0 }])
})

t.test('with a batch of one each comes by itself', async (t) => {
  const feed = createFeed()
  const collector = await openCollector(t)
  feed.add(3)
  const sink = webhookTo(collector.url, { batch: 1 })
  t.ok(await drained(start(t, feed, { folder: makeFolder(t), sinks: [sink] })))
  t.equal(
    collector.taken[0]?.headers['content-type'],
    'application/cloudevents+json; charset=utf-8',
  )
  t.same(
    collector.taken.map(({ body, headers }) => [
      (JSON.parse(body.toString()) as Event)['id'],
      headers['webhook-id'],
    ]),
    feed.items.map(({ id }) => [id, id]),
  )
})

/** Verifies as the receiver's side of Standard Webhooks does. */
function verify({ headers, body }: Taken, key: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': sent } = headers
  const signed = createHmac('sha256', key).update(`${String(id)}.${String(timestamp)}.`)
  return sent === `v1,${signed.update(body).digest('base64')}`
}

t.test('each request is signed by the scheme of Standard Webhooks', async (t) => {
  const feed = createFeed()
  const collector = await openCollector(t)
  feed.add(4)
  const sink = webhookTo(collector.url)
  t.ok(await drained(start(t, feed, { folder: makeFolder(t), sinks: [sink] })))
  const [taken] = collector.taken
  if (taken === undefined) throw new Error('nothing came')
  t.ok(verify(taken, Buffer.alloc(32, 7)))
  t.notOk(verify(taken, Buffer.alloc(32, 8)), 'another key does not fit')
  const changed = Buffer.from(taken.body.toString().replace('allowed', 'refused'))
  t.notOk(verify({ ...taken, body: changed }, Buffer.alloc(32, 7)), 'nor another body')
  const age = Date.now() / 1000 - Number(taken.headers['webhook-timestamp'])
  t.ok(age >= 0 && age < 60)
  t.equal(taken.headers['webhook-id'], 'w_a:2-w_a:10')
})

t.test('as OCSF, inside of CloudEvents', async (t) => {
  const feed = createFeed()
  const collector = await openCollector(t)
  feed.add(4)
  const sink = webhookTo(collector.url, { format: 'ocsf' })
  t.ok(await drained(start(t, feed, { folder: makeFolder(t), sinks: [sink] })))
  const events = collector.taken.flatMap(eventsIn)
  t.equal(events.length, 5)
  for (const event of events)
    t.match(event, { type: 'dev.narrowgate.ocsf', data: { class_uid: 6003 } })
})
