import assert from 'node:assert/strict'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { openLedgerIndex } from '../../../../adapters/ledger/index/open.ts'
import type { LedgerIndex } from '../../../../adapters/ledger/port.ts'
import type { SegmentLog } from '../../../../adapters/ledger/segment/log.ts'
import {
  checkView,
  viewResult,
  type Cursors,
  type KeptRow,
  type ViewName,
  type Want,
} from '../../../../catalog/index.ts'
import { checkWant } from '../../../../catalog/want/parse.ts'
import { startCluster, type Cluster } from '../../../helpers/postgres.ts'
import { openPostgres } from '../postgres/rig.ts'
import { makeFolder, openLog, RUNS } from '../rig.ts'
import { happenings, PATTERNS, questions, WORDS, type Happening } from './arbitraries.ts'
import { plainAnswer } from './reference.ts'

const CURSORS: Cursors = { sign: (text) => text, check: (cursor) => cursor }
const LOGS = 3
const QUESTIONS = Math.ceil(100 * RUNS)

/** Half of what is left open is closed after `between`, so that indexes meet the two records in different steps. */
async function write(
  log: SegmentLog,
  all: readonly Happening[],
  between: () => Promise<void>,
): Promise<void> {
  const late: (() => Promise<unknown>)[] = []
  for (const [at, each] of all.entries()) {
    if (each.kind === 'event')
      await log.event({ event: 'grant_minted', subject: 's', actor: 'owner' })
    else if (each.kind === 'refusal') await log.refusal(each.record)
    else {
      const intent = await log.intent(each.intent)
      const { outcome } = each
      if (outcome === undefined) continue
      if (at % 2 === 0) await log.outcome(intent, outcome)
      else late.push(() => log.outcome(intent, outcome))
    }
  }
  await between()
  for (const close of late) await close()
}

/** All pages of an answer, followed by their cursors. */
async function answerOf(
  index: LedgerIndex,
  [view, want]: readonly [ViewName, Want],
): Promise<readonly KeptRow[]> {
  const rows: KeptRow[] = []
  let cursor: string | undefined
  for (;;) {
    const checked = checkView(
      view,
      cursor === undefined ? want : { ...want, page: { ...want.page, cursor } },
      CURSORS,
    )
    assert.ok(checked.ok, JSON.stringify(checked))
    const answer = await index.view(checked.query)
    rows.push(...answer.rows)
    const result = viewResult(checked.query, answer, CURSORS)
    if (result.kind === 'figures' || result.next === null) return rows
    cursor = result.next
  }
}

/** What both ways of putting it have: numbers in any order of members, without the number that orders groups. */
function compared(rows: readonly KeptRow[], names: readonly string[]): readonly KeptRow[] {
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])))
}

/** A log with what happened, and both indexes of it. */
async function openBoth(t: Test, cluster: Cluster, all: readonly Happening[]) {
  const folder = makeFolder(t)
  const { log } = await openLog(folder)
  const embedded = await openLedgerIndex({ folder, file: join(folder, 'index.sqlite'), log })
  const { index: postgres } = openPostgres(t, { url: await cluster.createDatabase(), folder, log })
  t.teardown(async () => {
    await embedded.close()
    await log.close()
  })
  const sync = async () => void (await Promise.all([embedded.sync(), postgres.sync()]))
  await write(log, all, sync)
  await sync()
  return { embedded, postgres, receipts: await embedded.list({ limit: 1000 }) }
}

interface Compared {
  readonly cluster: Cluster
  readonly all: readonly Happening[]
  readonly seed: number
}

async function compareOn(t: Test, { cluster, all, seed }: Compared): Promise<void> {
  const { embedded, postgres, receipts } = await openBoth(t, cluster, all)
  t.strictSame(
    await postgres.list({ limit: 1000 }),
    receipts,
    'the same receipts, under the same numbers',
  )
  t.strictSame(await postgres.counts({}), await embedded.counts({}))
  t.strictSame(await postgres.events({}), await embedded.events({}))
  let seen = 0
  const property = fc.asyncProperty(questions, async (question) => {
    const [view, want] = question
    const formed = checkWant(want)
    assert.ok(formed.ok, JSON.stringify(formed))
    const checked = checkView(view, want, CURSORS)
    assert.ok(checked.ok, JSON.stringify(checked))
    const plain = plainAnswer(receipts, checked.query)
    seen += plain.length
    const names = checked.query.kind === 'rows' ? checked.query.select : Object.keys(plain[0] ?? {})
    const wanted = compared(plain, names)
    assert.deepEqual(compared(await answerOf(embedded, question), names), wanted, 'embedded')
    assert.deepEqual(compared(await answerOf(postgres, question), names), wanted, 'PostgreSQL')
  })
  await t.resolves(fc.assert(property, { numRuns: QUESTIONS, seed }))
  t.ok(seen > QUESTIONS, `the questions found ${seen} rows`)
}

t.test('any question to any log: both back ends answer as the plain reference does', async (t) => {
  const cluster = await startCluster(t)
  if (cluster === undefined) return
  for (const [at, all] of fc.sample(happenings, { numRuns: LOGS, seed: 5 }).entries())
    await t.test(`log ${at}`, (t) => compareOn(t, { cluster, all, seed: at }))
})

t.test('every pattern and prefix takes every text as the plain reference does', async (t) => {
  const cluster = await startCluster(t)
  if (cluster === undefined) return
  const all = WORDS.map((task) => ({ kind: 'refusal', record: { task } }) as const)
  const { embedded, postgres, receipts } = await openBoth(t, cluster, all)
  const filters = [...PATTERNS, ...WORDS].flatMap((text) => [{ glob: text }, { prefix: text }])
  for (const filter of filters) {
    const question = ['exchanges', { where: { task: filter }, select: ['task'] }] as const
    const checked = checkView(...question, CURSORS)
    assert.ok(checked.ok)
    const wanted = compared(plainAnswer(receipts, checked.query), ['task'])
    const name = JSON.stringify(filter)
    t.strictSame(compared(await answerOf(embedded, question), ['task']), wanted, `embedded ${name}`)
    t.strictSame(
      compared(await answerOf(postgres, question), ['task']),
      wanted,
      `PostgreSQL ${name}`,
    )
  }
})
