import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openLedgerIndex } from '../../adapters/ledger/index/open.ts'
import { openPostgresIndex } from '../../adapters/ledger/postgres/open.ts'
import type { LedgerIndex } from '../../adapters/ledger/port.ts'
import { nameDatabase } from '../../adapters/postgres/database.ts'
import { checkView, type KeptRow, type ViewQuery } from '../../catalog/index.ts'
import { ROUNDS } from '../config.ts'
import { exchangeAt } from './receipts.ts'
import { median, type Part, type Row } from '../rows.ts'
import type { Server } from './server.ts'

/** Ten times what a gateway waits for an answer, so that a busy machine shows a figure and not an error. */
const QUESTION_MS = 100_000
const QUESTIONS = Math.ceil(3 * ROUNDS)

/** A log that was written before. */
export interface Backlog {
  readonly folder: string
  /** Exchanges in it. */
  readonly count: number
}

/** An index of the log, and how it got it. */
interface Taken {
  readonly name: string
  readonly index: LedgerIndex
  /** Receipts a second while it took the log over. */
  readonly rate: number
  close(): Promise<void>
}

/** How fast both indexes take a log over, and how soon each answers the 95th percentile by tool. */
export async function figures(
  folder: string,
  server: Server | string,
  backlog: Backlog,
): Promise<Part> {
  const all = [await takeEmbedded(folder, backlog)]
  try {
    if (typeof server !== 'string') all.push(await takePostgres(server, backlog))
    const times = await ask(all, expected(backlog.count))
    return {
      rows: rowsOf(all, times, backlog.count),
      skipped: typeof server === 'string' ? [`the ledger in PostgreSQL: ${server}`] : [],
    }
  } finally {
    for (const { close } of all) await close()
  }
}

async function takeEmbedded(folder: string, { folder: log, count }: Backlog): Promise<Taken> {
  const started = performance.now()
  const index = await openLedgerIndex({ folder: log, file: join(folder, 'index.sqlite') })
  const rate = (count * 1000) / (performance.now() - started)
  return { name: 'embedded', index, rate, close: () => index.close() }
}

async function takePostgres(server: Server, { folder, count }: Backlog): Promise<Taken> {
  const url = await server.createDatabase()
  const database = nameDatabase({ url, connections: 1 })
  await database.migrated()
  const reading = nameDatabase({ url, connections: 1, deadlineMs: QUESTION_MS, statements: 'once' })
  const fail = (what: unknown) => {
    throw new Error('PostgreSQL: the log was not taken over', { cause: what })
  }
  const index = openPostgresIndex({ folder, database, reading, onFault: fail, onState: fail })
  const started = performance.now()
  await index.sync()
  const rate = (count * 1000) / (performance.now() - started)
  const close = async () => {
    await index.close()
    await Promise.all([database.close(), reading.close()])
  }
  return { name: 'PostgreSQL', index, rate, close }
}

function question(): ViewQuery {
  const want = {
    page: { limit: 100 },
    want: { aggregate: { p95: ['ms'], count: true, by: ['tool'] } },
  }
  const checked = checkView('exchanges', want, { sign: (text) => text, check: (text) => text })
  assert.ok(checked.ok, JSON.stringify(checked))
  return checked.query
}

type Answer = Readonly<Record<string, { readonly p95: unknown; readonly count: unknown }>>

/** The same by hand: nearest rank, in whole microseconds. */
function expected(count: number): Answer {
  const times = new Map<string, number[]>()
  for (let n = 0; n < count; n += 1) {
    const { tool, micros } = exchangeAt(n)
    const of = times.get(tool)
    if (of === undefined) times.set(tool, [micros])
    else of.push(micros)
  }
  const entries = [...times].map(([tool, all]) => {
    const sorted = all.toSorted((a, b) => a - b)
    return [tool, { p95: sorted[Math.ceil((95 * all.length) / 100) - 1], count: all.length }]
  })
  return Object.fromEntries(entries) as Answer
}

/** Asks in turns; every answer is compared, and the first round is not counted. Gives the milliseconds of each. */
async function ask(
  all: readonly Taken[],
  wanted: Answer,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const query = question()
  const times = new Map<string, number[]>(all.map(({ name }) => [name, []]))
  for (let round = 0; round <= QUESTIONS; round += 1)
    for (const { name, index } of all) {
      const started = performance.now()
      const { rows, more } = await index.view(query)
      const ms = performance.now() - started
      assert.deepEqual(byTool(rows), wanted, `p95 by tool, ${name}`)
      assert.equal(more, false, name)
      // The first one loads the query builder.
      if (round > 0) times.get(name)?.push(ms)
    }
  return times
}

function byTool(rows: readonly KeptRow[]): Answer {
  const entries = rows.map((row) => [row['by.tool'], { p95: row['p95.ms'], count: row['count'] }])
  return Object.fromEntries(entries) as Answer
}

function rowsOf(
  all: readonly Taken[],
  times: ReadonlyMap<string, readonly number[]>,
  count: number,
): readonly Row[] {
  const against = `${count} receipts`
  const of = (name: string) => times.get(name) ?? []
  const [embedded, postgres] = all
  const figures = all.flatMap(({ name, rate }) => [
    { name: `taken over, ${name}`, value: rate, unit: 'receipts/s', against },
    { name: `p95 by tool, ${name}`, value: median(of(name)), unit: 'ms', against },
  ])
  if (embedded === undefined || postgres === undefined) return figures
  const slower = of(postgres.name).map((ms, round) => ms / (of(embedded.name)[round] ?? Number.NaN))
  return [
    ...figures,
    {
      name: 'taken over, PostgreSQL',
      value: postgres.rate / embedded.rate,
      unit: '×',
      against: 'taken over, embedded',
    },
    {
      name: 'p95 by tool, PostgreSQL',
      value: median(slower),
      unit: '×',
      against: 'p95 by tool, embedded',
    },
  ]
}
