import assert from 'node:assert/strict'
import Database from 'better-sqlite3'
import { inGroups, type Contender } from './contender.ts'

export const SQLITE = 'better-sqlite3 (FULL)'

/** better-sqlite3 with `synchronous = FULL`: one insert is one transaction, made in its caller's turn. */
export function sqliteEach(file: string): Contender {
  const { insert, rest } = openTable(file)
  return {
    name: SQLITE,
    append: ({ whole }) =>
      new Promise((resolve) => {
        setImmediate(() => resolve(insert.run(whole.json)))
      }),
    ...rest,
  }
}

/** The same in groups: all that wait go into one transaction. */
export function sqliteGrouped(file: string): Contender {
  const { db, insert, rest } = openTable(file)
  const write = db.transaction((texts: readonly string[]) => {
    for (const text of texts) insert.run(text)
  })
  return { name: `${SQLITE}, in groups`, append: inGroups(write), ...rest }
}

function openTable(file: string) {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  assert.equal(db.pragma('journal_mode', { simple: true }), 'wal')
  assert.equal(db.pragma('synchronous', { simple: true }), 2)
  db.exec('CREATE TABLE receipts (seq INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT')
  const insert = db.prepare<[string]>('INSERT INTO receipts (record) VALUES (?)')
  const all = db.prepare<[], string>('SELECT record FROM receipts').pluck()
  const rest: Pick<Contender, 'kept' | 'close'> = {
    kept: async () => all.all().map((text): unknown => JSON.parse(text)),
    close: async () => void db.close(),
  }
  return { db, insert, rest }
}
