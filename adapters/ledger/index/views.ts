import type Database from 'better-sqlite3'
import type { LedgerIndex } from '../port.ts'
import type { createViewReader } from '../query/sqlite.ts'

/** The views of an embedded index, on one connection. */
export function createViews(db: Database.Database): Pick<LedgerIndex, 'view' | 'last'> {
  const last = db.prepare<[], number>('SELECT last FROM sequence').pluck()
  // Loaded when somebody asks: the query builder takes longer to load than a command takes to run.
  let reader: Promise<ReturnType<typeof createViewReader>> | undefined
  const load = async () => (await import('../query/sqlite.ts')).createViewReader(db)
  return {
    view: async (query) => (await (reader ??= load()))(query),
    last: async () => last.get() ?? 0,
  }
}
