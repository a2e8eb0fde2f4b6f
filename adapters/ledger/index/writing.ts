import type Database from 'better-sqlite3'
import type { LedgerRecord } from '../port.ts'
import { changesColumns, codeOf, columnsOf, outcomeOf } from './receipt.ts'

/** What waits in memory may have so many characters; more of it is written before the batch ends. */
const BATCH_CHARS = 16 * 1024 * 1024

/** A record that was read from the log. */
export interface ReadRecord {
  /** Its JSON text, which is what the tables keep. */
  readonly json: string
  /** The same text, parsed. */
  readonly value: LedgerRecord
}

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
    addEvent: db.prepare<[number, string]>('INSERT INTO events (seq, record) VALUES (?, ?)'),
    addReceipt: db.prepare<unknown[]>(
      `INSERT INTO receipts (outcome, tool, task, "grant", code, host, result, seq, id, opened, intent)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    addUnclosed: db.prepare<[string, unknown, number]>('INSERT INTO unclosed VALUES (?, ?, ?)'),
    takeUnclosed: db
      .prepare<[string, unknown], number>(
        'DELETE FROM unclosed WHERE writer = ? AND n = ? RETURNING seq',
      )
      .pluck(),
    end: db.prepare<[string, string | null, string, number]>(
      'UPDATE receipts SET outcome = ?, code = coalesce(?, code), result = ? WHERE seq = ?',
    ),
    intentOf: db.prepare<[number], string>('SELECT intent FROM receipts WHERE seq = ?').pluck(),
    close: db.prepare<unknown[]>(
      `UPDATE receipts SET outcome = ?, tool = ?, task = ?, "grant" = ?, code = ?, host = ?, result = ?
       WHERE seq = ?`,
    ),
  }
}

function beginBatch(writer: string, statements: ReturnType<typeof prepare>): RecordBatch {
  /** By the number of the intent, in the order of `seq`. */
  const held = new Map<unknown, Exchange>()
  let chars = 0
  let last: number | undefined
  const nextSeq = (): number => (last = (last ?? statements.lastSeq.get() ?? 0) + 1)

  const open = (intent: ReadRecord): void => {
    held.set(intent.value.n, { seq: nextSeq(), intent, result: undefined })
  }
  /** The first outcome stands: nothing that comes later may rewrite an exchange. */
  const close = (result: ReadRecord): void => {
    const { json, value } = result
    const exchange = held.get(value.intent)
    if (exchange !== undefined) {
      exchange.result ??= result
      return
    }
    const seq = statements.takeUnclosed.get(writer, value.intent)
    if (seq === undefined) return
    if (changesColumns(value)) rewrite(seq, result)
    else statements.end.run(outcomeOf({}, value), codeOf(value), json, seq)
  }
  const rewrite = (seq: number, { json, value }: ReadRecord): void => {
    const intent = JSON.parse(statements.intentOf.get(seq) ?? '{}') as LedgerRecord
    statements.close.run(...changing(columnsOf(intent, value)), json, seq)
  }
  const write = ({ seq, intent, result }: Exchange): void => {
    const { json, value } = intent
    const columns = columnsOf(value, result?.value)
    const id = typeof value.id === 'string' ? value.id : ''
    const { opened } = columns
    statements.addReceipt.run(...changing(columns), result?.json ?? null, seq, id, opened, json)
    if (result === undefined && value.kind === 'intent')
      statements.addUnclosed.run(writer, value.n, seq)
  }
  const flush = (): void => {
    for (const exchange of held.values()) write(exchange)
    held.clear()
    chars = 0
    if (last !== undefined) statements.saveSeq.run(last)
  }

  return {
    add(record) {
      const { kind } = record.value
      if (kind === 'event') statements.addEvent.run(nextSeq(), record.json)
      else if (kind === 'outcome') close(record)
      else if (kind === 'intent' || kind === 'refusal') open(record)
      chars += record.json.length
      if (chars > BATCH_CHARS) flush()
    },
    flush,
  }
}

/** What an outcome may change, in the order of the statements. */
function changing(columns: ReturnType<typeof columnsOf>): readonly (string | null)[] {
  const { outcome, tool, task, grant, code, host } = columns
  return [outcome, tool, task, grant, code, host]
}
