import type Database from 'better-sqlite3'
import type { LedgerRecord } from '../port.ts'
import { columnsOf } from './receipt.ts'

/** Puts records into the tables. Every call belongs into the caller's transaction. */
export interface RecordWriter {
  add(writer: string, record: LedgerRecord): void
}

interface ReceiptRow {
  readonly seq: number
  readonly intent: string
  readonly result: string | null
}

export function createRecordWriter(db: Database.Database): RecordWriter {
  const nextSeq = db.prepare<[], { last: number }>(
    'UPDATE sequence SET last = last + 1 RETURNING last',
  )
  const addEvent = db.prepare('INSERT INTO events (seq, record) VALUES (?, ?)')
  const addReceipt = db.prepare(
    `INSERT INTO receipts (seq, id, writer, n, opened, outcome, tool, task, "grant", code, host, intent)
     VALUES (@seq, @id, @writer, @n, @opened, @outcome, @tool, @task, @grant, @code, @host, @intent)`,
  )
  const find = db.prepare<[string, unknown], ReceiptRow>(
    'SELECT seq, intent, result FROM receipts WHERE writer = ? AND n = ?',
  )
  const close = db.prepare(
    `UPDATE receipts SET outcome = @outcome, tool = @tool, task = @task, "grant" = @grant, code = @code,
       host = @host, result = @result WHERE seq = @seq`,
  )
  const seq = (): number => nextSeq.get()?.last ?? 0

  return {
    add(writer, record) {
      if (record.kind === 'event') addEvent.run(seq(), JSON.stringify(record))
      else if (record.kind === 'outcome') {
        const row = find.get(writer, record.intent)
        // The first outcome stands: nothing that comes later may rewrite an exchange.
        if (row === undefined || row.result !== null) return
        const intent = JSON.parse(row.intent) as LedgerRecord
        close.run({ ...columnsOf(intent, record), seq: row.seq, result: JSON.stringify(record) })
      } else if (record.kind === 'intent' || record.kind === 'refusal') {
        const id = typeof record.id === 'string' ? record.id : ''
        const intent = JSON.stringify(record)
        addReceipt.run({
          ...columnsOf(record, undefined),
          seq: seq(),
          id,
          writer,
          n: record.n,
          intent,
        })
      }
    },
  }
}
