import assert from 'node:assert/strict'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import t from 'tap'
import { createFeedReader } from '../../../../adapters/ledger/index/feed.ts'
import { openLedgerIndex, type FeedingIndex } from '../../../../adapters/ledger/index/open.ts'
import { openIndexFile } from '../../../../adapters/ledger/index/schema.ts'
import { createTail } from '../../../../adapters/ledger/index/tail.ts'
import type { FeedItem, Place } from '../../../../adapters/ledger/port.ts'
import { makeFolder, openLog, RUNS } from '../rig.ts'
import { addExchange, openBoth } from './rig.ts'

/** The whole feed, read in pages of this size. */
async function readAll({ feed }: Pick<FeedingIndex, 'feed'>, limit = 1000): Promise<FeedItem[]> {
  const all: FeedItem[] = []
  for (;;) {
    const page = await feed.read({ after: all.at(-1)?.position ?? 0, limit })
    if (page.length === 0) return all
    all.push(...page)
  }
}

function valueOf({ json }: FeedItem): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>
}

t.test(
  'an exchange comes when it is closed, and holds back nothing while it is open',
  async (t) => {
    const { log, index } = await openBoth(t)
    const slow = await log.intent({ id: 'slow', tool: 'HTTP_GET' })
    await addExchange(log, { id: 'quick' })
    await log.event({ event: 'grant_minted', subject: 'g', actor: 'owner' })
    await log.refusal({ id: 'refused', ran: false })
    await index.sync()
    const before = await readAll(index)
    t.strictSame(
      before.map((item) => [
        item.position,
        item.kind,
        valueOf(item)['id'] ?? valueOf(item)['event'],
      ]),
      [
        [1, 'receipt', 'quick'],
        [2, 'event', 'grant_minted'],
        [3, 'receipt', 'refused'],
      ],
    )
    await log.outcome(slow, { outcome: 'allowed', status: 200 })
    await index.sync()
    const [item] = await index.feed.read({ after: 3, limit: 10 })
    t.match(item, { position: 4, kind: 'receipt', id: `${slow.writer}:6` })
    t.match(item && valueOf(item), { id: 'slow', seq: 1, tool: 'HTTP_GET', outcome: 'allowed' })
    t.equal(index.feed.end(), 4)
  },
)

t.test('an exchange that a crash left open comes with its outcome `unknown`', async (t) => {
  const folder = makeFolder(t)
  const file = join(folder, 'index.sqlite')
  const first = await openLog(folder)
  await first.log.intent({ id: 'cut' })
  await first.log.close()
  await (await openLedgerIndex({ folder, file })).close()
  const second = await openLog(folder)
  const index = await openLedgerIndex({ folder, file, log: second.log })
  t.same((await readAll(index)).map(valueOf), [
    { id: 'cut', seq: 1, closed: '2026-11-29T12:00:00.000Z', outcome: 'unknown', ran: 'unknown' },
  ])
  await index.close()
  await second.log.close()
})

t.test('who listens is told when it grows', async (t) => {
  const { log, index } = await openBoth(t)
  let told = 0
  const stop = index.feed.onGrowth(() => (told += 1))
  await log.intent({ id: 'open' })
  await index.sync()
  t.equal(told, 0, 'an intent closes nothing')
  await log.refusal({ id: 'r' })
  await index.sync()
  t.equal(told, 1)
  stop()
  await log.refusal({ id: 's' })
  await index.sync()
  t.equal(told, 1)
})

t.test('large items come in smaller pages, and none is left out', async (t) => {
  const { log, index } = await openBoth(t)
  for (let at = 0; at < 6; at += 1) await log.refusal({ id: `${at}`, note: 'x'.repeat(400_000) })
  await index.sync()
  t.equal((await index.feed.read({ after: 0, limit: 1000 })).length, 3)
  t.same(
    (await readAll(index)).map((item) => valueOf(item)['id']),
    ['0', '1', '2', '3', '4', '5'],
  )
})

/** What a writer may do next. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('intent' as const) }),
  fc.record({ kind: fc.constant('outcome' as const), of: fc.nat(7) }),
  fc.record({ kind: fc.constant('twice' as const), of: fc.nat(7) }),
  fc.record({ kind: fc.constant('refusal' as const) }),
  fc.record({ kind: fc.constant('event' as const) }),
  fc.record({ kind: fc.constant('index' as const) }),
)

/** The feed of a log as an index in this thread makes it. */
function indexHere(folder: string, name: string) {
  const db = openIndexFile(join(folder, name))
  const tail = createTail(db, folder)
  const feed = createFeedReader(db)
  return {
    step: () => tail.step(),
    /** In pages of this size. */
    all(limit: number) {
      const items: FeedItem[] = []
      for (;;) {
        const page = feed.read({ after: items.at(-1)?.position ?? 0, limit })
        if (page.length === 0) return items
        items.push(...page)
      }
    },
    close: () => db.close(),
  }
}

t.test('whatever the order: what is closed, once, without gaps, and the same again', async (t) => {
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 40 }),
    fc.integer({ min: 1, max: 7 }),
    async (steps, limit) => {
      const folder = makeFolder(t)
      const { log } = await openLog(folder, { rotateBytes: 600 })
      const index = indexHere(folder, 'index.sqlite')
      const open: Place[] = []
      const closed: Place[] = []
      const expected: string[] = []
      const close = ({ writer, n }: Place) => expected.push(`${writer}:${n}`)
      for (const [at, { kind, ...rest }] of steps.entries()) {
        const of = 'of' in rest ? rest.of : 0
        if (kind === 'index') index.step()
        else if (kind === 'intent') open.push(await log.intent({ id: `x${at}` }))
        else if (kind === 'outcome') {
          const [intent] = open.splice(of, 1)
          if (intent === undefined) continue
          close(await log.outcome(intent, { outcome: 'allowed' }))
          closed.push(intent)
        } else if (kind === 'twice') {
          const intent = closed[of]
          // The first outcome stands.
          if (intent !== undefined) await log.outcome(intent, { outcome: 'gone' })
        } else close(await log[kind]({ id: `x${at}` }))
      }
      index.step()
      const items = index.all(limit)
      const ids = items.map(({ id }) => id)
      const positions = items.map(({ position }) => position)
      index.close()
      await log.close()
      const again = indexHere(folder, 'again.sqlite')
      again.step()
      assert.deepEqual(ids, expected)
      assert.deepEqual(
        positions,
        items.map((_, at) => at + 1),
      )
      assert.deepEqual(again.all(1000), items)
      again.close()
    },
  )
  await t.resolves(fc.assert(property, { numRuns: Math.ceil(60 * RUNS) }))
})

t.test('an index of the version before is made again, with its feed', async (t) => {
  const { log, index, folder } = await openBoth(t)
  await addExchange(log, { id: 'a' })
  await index.sync()
  await index.close()
  const file = join(folder, 'index.sqlite')
  const db = new Database(file)
  db.exec('DROP TABLE feed')
  db.pragma('user_version = 1')
  db.close()
  const again = await openLedgerIndex({ folder, file, log })
  t.equal(again.feed.end(), 1)
  t.same(await again.counts({}), { allowed: 1 }, 'each receipt once')
  await again.close()
})
