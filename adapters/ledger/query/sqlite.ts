import type Database from 'better-sqlite3'
import type { ViewQuery } from '../../../catalog/index.ts'
import type { ViewAnswer } from '../port.ts'
import { answerOf, type DriverRow } from './answer.ts'
import { buildView } from './build.ts'
import { SQLITE } from './dialect.ts'
import { addNearestRank } from './nearest-rank.ts'

/** Answers questions to the views on a connection of the embedded index. */
export function createViewReader(db: Database.Database): (query: ViewQuery) => ViewAnswer {
  addNearestRank(db)
  const last = db.prepare<[], number>('SELECT last FROM sequence').pluck()
  return db.transaction((query: ViewQuery) => {
    const { text, values } = buildView(query, SQLITE)
    const rows = db.prepare<unknown[], DriverRow>(text).all(...values)
    return answerOf(query, rows, last.get() ?? 0)
  })
}
