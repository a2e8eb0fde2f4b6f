import type Database from 'better-sqlite3'
import type { LedgerRecord, Receipt, ReceiptQuery } from '../port.ts'
import { eventOf } from './event.ts'
import { joinReceipt } from './receipt.ts'

/** The queries, on one connection. */
export interface IndexReader {
  list(query: ReceiptQuery): readonly Receipt[]
  get(id: string): Receipt | undefined
  counts(where: {
    readonly task?: string
    readonly grant?: string
  }): Readonly<Record<string, number>>
  events(query: { readonly limit?: number; readonly after?: number }): readonly LedgerRecord[]
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

interface Row {
  readonly seq: number
  readonly intent: string
  readonly result: string | null
}

/** A path covers what lies below it: `T-7` covers `T-7/3`. (`0` is the character behind `/`.) */
const COVERS_TASK = `(task = @task OR (task > @task || '/' AND task < @task || '0'))`

const CONDITIONS = {
  outcome: 'outcome = @outcome',
  tool: 'tool = @tool',
  task: COVERS_TASK,
  grant: '"grant" = @grant',
  code: 'code = @code',
  host: 'host = @host',
  since: 'opened >= @since',
} as const satisfies Record<keyof NonNullable<ReceiptQuery['where']>, string>

export function createIndexReader(db: Database.Database): IndexReader {
  const byId = db.prepare<[string], Row>(
    'SELECT seq, intent, result FROM receipts WHERE id = ? ORDER BY seq LIMIT 1',
  )
  return {
    list({ where = {}, order = 'desc', limit, after }) {
      const values = {
        ...where,
        ...(where.since === undefined ? {} : { since: instant(where.since) }),
      }
      const conditions = conditionsOf(values)
      if (after !== undefined) conditions.push(order === 'asc' ? 'seq > @after' : 'seq < @after')
      const sql = `SELECT seq, intent, result FROM receipts ${whereOf(conditions)} ORDER BY seq ${order} LIMIT @limit`
      const rows = db
        .prepare<object, Row>(sql)
        .all({ ...values, after, limit: checkedLimit(limit) })
      return rows.map(receiptOf)
    },
    get(id) {
      const row = byId.get(id)
      return row && receiptOf(row)
    },
    counts(where) {
      const sql = `SELECT outcome, count(*) AS count FROM receipts ${whereOf(conditionsOf(where))} GROUP BY outcome`
      const rows = db.prepare<object, { outcome: string; count: number }>(sql).all({ ...where })
      return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
    },
    events({ limit, after = 0 }) {
      const rows = db
        .prepare<[number, number], { seq: number; record: string }>(
          'SELECT seq, record FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
        )
        .all(after, checkedLimit(limit))
      return rows.map(({ seq, record }) => eventOf(seq, record))
    },
  }
}

function receiptOf(row: Row): Receipt {
  const result = row.result === null ? undefined : (JSON.parse(row.result) as LedgerRecord)
  return joinReceipt(row.seq, JSON.parse(row.intent) as LedgerRecord, result)
}

function conditionsOf(where: NonNullable<ReceiptQuery['where']>): string[] {
  const conditions = Object.entries(CONDITIONS) as [keyof typeof CONDITIONS, string][]
  return conditions.filter(([name]) => where[name] !== undefined).map(([, condition]) => condition)
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

export function checkedLimit(limit: number = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new RangeError(
    `ledger query: limit must be 1 to ${MAX_LIMIT}, got \`${limit}\`; page with \`after\``,
  )
}

/** Receipts hold UTC with milliseconds: another spelling of the same time must compare as that one. */
export function instant(since: string): string {
  const time = Date.parse(since)
  if (Number.isFinite(time)) return new Date(time).toISOString()
  throw new RangeError(
    `ledger query: since is no RFC 3339 time, got \`${since}\`; write 2026-01-31T12:00:00Z`,
  )
}
