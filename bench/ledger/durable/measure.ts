import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CONNECTIONS, ROUNDS, SECONDS, WARM_UP_SECONDS } from '../../config.ts'
import { median, type Part, type Row } from '../../rows.ts'
import type { Server } from '../server.ts'
import type { Contender } from './contender.ts'
import { givenAt } from './given.ts'
import { ndjson } from './ndjson.ts'
import { POSTGRES, postgresMultiRow } from './postgres.ts'
import { segmentLog, segmentLogTwice } from './segment-log.ts'
import { SQLITE, sqliteEach, sqliteGrouped } from './sqlite.ts'

/** Rounds are short, so that there are more of them and what else happens meets all contenders. */
const SHORT_ROUNDS = Math.ceil(15 * ROUNDS)
const SLICE_MS = SECONDS * 25
const WARM_UP_MS = WARM_UP_SECONDS * 50
/** What our log must reach of a peer's receipts a second. Each is used as it comes: one transaction, one commit. */
const FLOORS: Readonly<Record<string, number>> = { [SQLITE]: 2, [POSTGRES]: 2 }

/** Receipts a second that are durable, at as many waiting callers as the bench has connections. */
export async function durable(folder: string, server: Server | string): Promise<Part> {
  mkdirSync(folder)
  const contenders = await open(folder, server)
  try {
    const rates = await race(contenders)
    return {
      rows: rowsOf(contenders, rates),
      skipped: typeof server === 'string' ? [`${POSTGRES}: ${server}`] : [],
    }
  } finally {
    for (const contender of contenders) await contender.close()
  }
}

async function open(folder: string, server: Server | string): Promise<readonly Contender[]> {
  const peers = [
    sqliteEach(join(folder, 'each.sqlite')),
    sqliteGrouped(join(folder, 'grouped.sqlite')),
    ...(typeof server === 'string' ? [] : [await postgresMultiRow(await server.createDatabase())]),
    await ndjson(join(folder, 'receipts.ndjson')),
  ]
  return [
    await segmentLog(join(folder, 'log')),
    await segmentLogTwice(join(folder, 'log-twice')),
    ...peers,
  ]
}

/** The rates of all rounds, by contender. */
async function race(contenders: readonly Contender[]): Promise<ReadonlyMap<string, number[]>> {
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  const given = new Map<string, number>()
  const load = async (contender: Contender, ms: number): Promise<number> => {
    const from = given.get(contender.name) ?? 0
    const { count, rate } = await callersOn(contender, { from, ms })
    given.set(contender.name, from + count)
    return rate
  }
  for (const contender of contenders) {
    await load(contender, WARM_UP_MS)
    await checkKept(contender, given.get(contender.name) ?? 0)
  }
  for (let round = 0; round < SHORT_ROUNDS; round += 1)
    for (const contender of contenders)
      rates.get(contender.name)?.push(await load(contender, SLICE_MS))
  for (const contender of contenders) await checkKept(contender, given.get(contender.name) ?? 0)
  return rates
}

/** Callers of whom each waits for one receipt and then brings the next. */
async function callersOn(
  { append }: Contender,
  { from, ms }: { readonly from: number; readonly ms: number },
): Promise<{ readonly count: number; readonly rate: number }> {
  const started = performance.now()
  let next = from
  const caller = async (): Promise<void> => {
    do await append(givenAt(next++))
    while (performance.now() - started < ms)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, caller))
  const count = next - from
  return { count, rate: (count * 1000) / (performance.now() - started) }
}

/** A rate is worth nothing where one receipt is missing, is there twice, or is another. */
async function checkKept({ name, kept }: Contender, count: number): Promise<void> {
  const texts = (await kept()).map((record) => JSON.stringify(record)).toSorted()
  const wanted = Array.from({ length: count }, (_, n) => givenAt(n).whole.json).toSorted()
  assert.equal(texts.length, count, `${name}: receipts that it kept`)
  const at = texts.findIndex((text, place) => text !== wanted[place])
  assert.equal(texts[at], wanted[at], `${name}: it must keep what it was given`)
}

/** Medians of all rounds; a ratio is that of the two rounds that followed each other. */
function rowsOf(
  contenders: readonly Contender[],
  rates: ReadonlyMap<string, readonly number[]>,
): readonly Row[] {
  const [own, ...others] = contenders.map(({ name }) => name)
  if (own === undefined) return []
  const of = (name: string) => rates.get(name) ?? []
  const figures = [own, ...others].map((name) => ({
    name: `durable: ${name}`,
    value: median(of(name)),
    unit: 'receipts/s',
    against: `${CONNECTIONS} waiting callers`,
  }))
  const ratios = others.map((against): Row => {
    const rounds = of(own).map((rate, round) => rate / (of(against)[round] ?? Number.NaN))
    const row = { name: `durable: ${own}`, value: median(rounds), unit: '×', against }
    const floor = FLOORS[against]
    return floor === undefined ? row : { ...row, floor }
  })
  return [...figures, ...ratios]
}
