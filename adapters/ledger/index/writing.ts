import type Database from 'better-sqlite3'
import { COLUMNS, columnsOf, endColumnsOf, valuesOf } from './columns.ts'
import type { ReadRecord } from './follow.ts'

/** What waits in memory may have so many characters; more of it is written before the batch ends. */
const BATCH_CHARS = 16 * 1024 * 1024

/**
 * Puts a writer's records into the tables, inside the caller's transaction. Exchanges are held until `flush`:
 * one whose outcome comes in the same batch costs a single insert.
 */
export interface RecordBatch {
  add(record: ReadRecord): void
  /** Writes what is held. */
  flush(): void
}

interface Exchange {
  readonly seq: number
  readonly intent: ReadRecord
  result: ReadRecord | undefined
}

/** Prepares the statements; the function begins a batch of one writer's records. */
export function createRecordWriter(db: Database.Database): (writer: string) => RecordBatch {
  const statements = prepare(db)
  return (writer) => beginBatch(writer, statements)
}

function prepare(db: Database.Database) {
  return {
    lastSeq: db.prepare<[], number>('SELECT last FROM sequence').pluck(),
    saveSeq: db.prepare<[number]>('UPDATE sequence SET last = ?'),
    lastPosition: db.prepare<[], number>('SELECT max(position) FROM feed').pluck(),
    feed: db.prepare<[number, string, unknown, number]>('INSERT INTO feed VALUES (?, ?, ?, ?)'),
    addEvent: db.prepare<[number, string]>('INSERT INTO events (seq, record) VALUES (?, ?)'),
    addReceipt: db.prepare<unknown[]>(
      `INSERT INTO receipts (${COLUMNS.map((name) => `"${name}"`).join(', ')}, result, seq, id, intent)
       VALUES (${COLUMNS.map(() => '?').join(', ')}, ?, ?, ?, ?)`,
    ),
    addUnclosed: db.prepare<[string, unknown, number]>('INSERT INTO unclosed VALUES (?, ?, ?)'),
    takeUnclosed: db
      .prepare<[string, unknown], number>(
        'DELETE FROM unclosed WHERE writer = ? AND n = ? RETURNING seq',
      )
      .pluck(),
    end: db.prepare<unknown[]>(
      `UPDATE receipts SET ${COLUMNS.map((name) => `"${name}" = coalesce(?, "${name}")`).join(', ')},
       result = ? WHERE seq = ?`,
    ),
  }
}

function beginBatch(writer: string, statements: ReturnType<typeof prepare>): RecordBatch {
  /** By the number of the intent, in the order of `seq`. */
  const held = new Map<unknown, Exchange>()
  let chars = 0
  let last: number | undefined
  const nextSeq = (): number => (last = (last ?? statements.lastSeq.get() ?? 0) + 1)
  let position: number | undefined
  /** `by`: the record with which it can be given out. */
  const feed = (seq: number, by: ReadRecord): void => {
    position = (position ?? statements.lastPosition.get() ?? 0) + 1
    statements.feed.run(position, writer, by.value.n, seq)
  }

  const open = (intent: ReadRecord): void => {
    const seq = nextSeq()
    held.set(intent.value.n, { seq, intent, result: undefined })
    if (intent.value.kind === 'refusal') feed(seq, intent)
  }
  /** The first outcome stands: nothing that comes later may rewrite an exchange. */
  const close = (result: ReadRecord): void => {
    const { json, value } = result
    const exchange = held.get(value.intent)
    if (exchange !== undefined) {
      if (exchange.result === undefined && exchange.intent.value.kind === 'intent') {
        exchange.result = result
        feed(exchange.seq, result)
      }
      return
    }
    const seq = statements.takeUnclosed.get(writer, value.intent)
    if (seq === undefined) return
    statements.end.run(...valuesOf(endColumnsOf(value)), json, seq)
    feed(seq, result)
  }
  const tell = (event: ReadRecord): void => {
    const seq = nextSeq()
    statements.addEvent.run(seq, event.json)
    feed(seq, event)
  }
  const write = ({ seq, intent, result }: Exchange): void => {
    const { json, value } = intent
    const columns = columnsOf(value, result?.value)
    const id = typeof value.id === 'string' ? value.id : ''
    statements.addReceipt.run(...valuesOf(columns), result?.json ?? null, seq, id, json)
    if (result === undefined && value.kind === 'intent')
      statements.addUnclosed.run(writer, value.n, seq)
  }
  const flush = (): void => {
    for (const exchange of held.values()) write(exchange)
    held.clear()
    chars = 0
    if (last !== undefined) statements.saveSeq.run(last)
    // Another writer's batch may come before the next record.
    last = position = undefined
  }

  return {
    add(record) {
      const { kind } = record.value
      if (kind === 'event') tell(record)
      else if (kind === 'outcome') close(record)
      else if (kind === 'intent' || kind === 'refusal') open(record)
      chars += record.json.length
      if (chars > BATCH_CHARS) flush()
    },
    flush,
  }
}
