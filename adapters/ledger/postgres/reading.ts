import type { Where } from '../../../catalog/index.ts'
import { keptText, type ViewQuery } from '../../../catalog/views/index.ts'
import type { Database } from '../../postgres/port.ts'
import { eventOf } from '../index/event.ts'
import { checkedLimit, instant } from '../index/reading.ts'
import { joinReceipt } from '../index/receipt.ts'
import type { LedgerIndex, LedgerRecord, Receipt, ReceiptQuery, ViewAnswer } from '../port.ts'

/** What an index answers by reading. */
export type PostgresReader = Pick<
  LedgerIndex,
  'view' | 'last' | 'list' | 'get' | 'counts' | 'events'
>

/** Answers from the tables of the database. */
export function createPostgresReader(database: Database): PostgresReader {
  const last = async (): Promise<number> => {
    const [row] = await database.query<{ last: string }>(
      'SELECT last FROM narrowgate.ledger_sequence',
      [],
    )
    return Number(row?.last ?? 0)
  }
  const receipts = async (
    where: Where,
    page: { readonly order: 'ASC' | 'DESC'; readonly limit: number },
  ): Promise<readonly Receipt[]> => {
    const { buildReceipts } = await builder()
    const { text, values } = buildReceipts(where, page)
    const rows = await database.query<ReceiptRow>(text, values)
    return rows.map(receiptOf)
  }
  return {
    last,
    async view(query: ViewQuery): Promise<ViewAnswer> {
      // Asked before: what has this number or a lower one is in the rows.
      const seq = await last()
      const { buildView, answerOf, POSTGRES } = await builder()
      const { text, values } = buildView(query, POSTGRES)
      return answerOf(query, await database.query(text, values), seq)
    },
    async list({ where = {}, order = 'desc', limit, after }) {
      const conditions = conditionsOf(where)
      if (after !== undefined) conditions.push({ seq: { [order === 'asc' ? 'gt' : 'lt']: after } })
      return receipts(
        { and: conditions },
        { order: order === 'asc' ? 'ASC' : 'DESC', limit: checkedLimit(limit) },
      )
    },
    async get(id) {
      const [receipt] = await receipts({ id: { eq: keptText(id) } }, { order: 'ASC', limit: 1 })
      return receipt
    },
    async counts(where) {
      const { buildCounts } = await builder()
      const { text, values } = buildCounts({ and: conditionsOf(where) })
      const rows = await database.query<{ outcome: string; count: string }>(text, values)
      return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, Number(count)]))
    },
    async events({ limit, after = 0 }) {
      const rows = await database.query<{ seq: string; record: string }>(
        'SELECT seq, record FROM narrowgate.events WHERE seq > $1 ORDER BY seq LIMIT $2',
        [after, checkedLimit(limit)],
      )
      return rows.map(({ seq, record }) => eventOf(Number(seq), record))
    },
  }
}

/** Loaded when somebody asks: the query builder takes its time to load. */
function builder() {
  return import('./builder.ts')
}

interface ReceiptRow {
  readonly seq: string
  readonly intent: string
  readonly result: string | null
}

function receiptOf({ seq, intent, result }: ReceiptRow): Receipt {
  const last = result === null ? undefined : (JSON.parse(result) as LedgerRecord)
  return joinReceipt(Number(seq), JSON.parse(intent) as LedgerRecord, last)
}

function conditionsOf({ task, since, ...equal }: NonNullable<ReceiptQuery['where']>): Where[] {
  const conditions: Where[] = Object.entries(equal).flatMap(([name, value]) =>
    value === undefined ? [] : [{ [name]: { eq: keptText(value) } }],
  )
  // A path covers what lies below it.
  if (task !== undefined) {
    const top = keptText(task)
    conditions.push({ or: [{ task: { eq: top } }, { task: { prefix: `${top}/` } }] })
  }
  if (since !== undefined) conditions.push({ opened: { gte: instant(since) } })
  return conditions
}
