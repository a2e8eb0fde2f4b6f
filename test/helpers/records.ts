import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'

/** One line of the log, as the file has it. */
export interface LogRecord {
  readonly kind: 'segment' | 'intent' | 'outcome' | 'refusal' | 'event'
  readonly n: number
  /** Of an outcome: the number of its intent. */
  readonly intent?: number
  readonly id?: string
  readonly outcome?: string
  readonly ran?: boolean | 'unknown'
  readonly code?: string
  readonly event?: string
  readonly aggregated?: { readonly total: number }
  readonly [field: string]: unknown
}

/** Reads the log from its segment files alone, as a stranger would: no index, no memory of the gateway. */
export function readRecords(state: string): readonly LogRecord[] {
  return segmentFiles(state).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      // The last line may be on its way.
      .slice(0, -1)
      .map((line) => JSON.parse(line.slice(65)) as LogRecord),
  )
}

function segmentFiles(state: string): readonly string[] {
  const folder = join(state, 'ledger')
  if (!existsSync(folder)) return []
  return (
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ndlog'))
      .sort()
      .map((name) => join(folder, name))
      // What another recorder sent in is no account of this gateway.
      .filter((file) => !existsSync(join(dirname(file), 'foreign.json')))
  )
}

/** The records of exchanges: events, such as a signed head, come when they come. */
export function ofExchanges(records: readonly LogRecord[]): readonly LogRecord[] {
  return records.filter(({ kind }) => kind !== 'event' && kind !== 'segment')
}

/** The exchange with this id, its records joined; `outcome` is missing while it is open. */
export function receiptOf(state: string, id: string | undefined): LogRecord | undefined {
  const records = readRecords(state)
  const first = records.find((record) => record.id === id)
  const second = records.find(({ kind, intent }) => kind === 'outcome' && intent === first?.n)
  return first === undefined ? undefined : { ...first, ...second, kind: first.kind, n: first.n }
}

/** The sum of all samples of a metric whose labels contain `label`. */
export function metricOf(metrics: string, name: string, label = ''): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .filter((line) => line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

const ENDS = ['allowed', 'refused', 'failed', 'gone', 'unknown'] as const

interface Accounts {
  readonly accepted: number
  /** Exchanges of which the ledger took nothing. */
  readonly lost: number
  readonly ended: Readonly<Record<string, number>>
  readonly recorded: Readonly<Record<string, number>>
  readonly doubles: readonly string[]
  readonly open: number
}

/** What was counted and what was recorded; the two are made by different parts and must say the same. */
function accountsOf(metrics: string, records: readonly LogRecord[]): Accounts {
  const recorded: Record<string, number> = {}
  const outcomes = new Map<number, number>()
  const ids = new Map<string, number>()
  let open = 0
  for (const { kind, n, id, intent, outcome, aggregated } of records) {
    if (kind === 'intent' || kind === 'refusal') ids.set(String(id), (ids.get(String(id)) ?? 0) + 1)
    if (kind === 'intent') {
      outcomes.set(n, 0)
      open += 1
    }
    if (kind === 'outcome') {
      outcomes.set(intent ?? -1, (outcomes.get(intent ?? -1) ?? 0) + 1)
      open -= 1
    }
    if (kind === 'outcome' || kind === 'refusal')
      recorded[String(outcome)] = (recorded[String(outcome)] ?? 0) + (aggregated?.total ?? 1)
  }
  const twice = [...ids].filter(([, count]) => count > 1).map(([id]) => id)
  const closedTwice = [...outcomes].filter(([, count]) => count > 1).map(([n]) => `intent ${n}`)
  const ended = Object.fromEntries(
    ENDS.map((name) => [
      name,
      metricOf(metrics, 'narrowgate_exchanges_total', `outcome="${name}"`),
    ]),
  )
  return {
    accepted: metricOf(metrics, 'narrowgate_requests_accepted_total'),
    lost: metricOf(metrics, 'narrowgate_receipts_lost_total'),
    ended,
    recorded: Object.fromEntries(ENDS.map((name) => [name, recorded[name] ?? 0])),
    doubles: [...twice, ...closedTwice],
    open,
  }
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Waits until nothing is under way, then asserts that every accepted call has exactly one receipt of one outcome. */
export async function assertAccounts(
  t: Test,
  state: string,
  metrics: () => Promise<string>,
): Promise<void> {
  const lost = await assertBalance(t, state, metrics)
  t.equal(lost, 0, 'every receipt was taken')
}

/**
 * The same where the ledger took nothing for a while: those whose receipt is counted as lost count as failed. Gives how
 * many they are.
 */
export async function assertBalance(
  t: Test,
  state: string,
  metrics: () => Promise<string>,
): Promise<number> {
  let accounts = accountsOf(await metrics(), readRecords(state))
  const settled = () =>
    accounts.open === 0 &&
    accounts.accepted === sumOf(accounts.ended) &&
    accounts.accepted === sumOf(accounts.recorded) + accounts.lost
  for (let tries = 0; tries < 200 && !settled(); tries++) {
    await delay(50)
    accounts = accountsOf(await metrics(), readRecords(state))
  }
  const { accepted, ended, recorded, lost } = accounts
  t.equal(accepted, sumOf(ended), 'accepted = allowed + refused + failed + gone + unknown')
  const failed = (recorded['failed'] ?? 0) + lost
  t.same({ ...recorded, failed }, ended, 'the log holds what was counted')
  t.same(accounts.doubles, [], 'no exchange has two receipts')
  t.equal(accounts.open, 0, 'no exchange is left open')
  return lost
}
