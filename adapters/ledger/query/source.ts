import { sql } from 'kysely'
import type { ViewName } from '../../../catalog/index.ts'
import { all, type Dialect, type Fragment } from './dialect.ts'

/** Where a view's rows come from. */
export interface Source {
  readonly from: Fragment
  readonly where: Fragment
}

const OUTCOMES = ['allowed', 'refused', 'failed', 'gone', 'unknown', 'open'] as const
const TOTALS = ['request_bytes', 'response_bytes', 'delivered_bytes', 'ms'] as const

export function sourceOf(view: ViewName, { exchanges }: Dialect): Source {
  switch (view) {
    case 'exchanges':
      return { from: exchanges, where: all([]) }
    case 'turns':
      return { from: exchanges, where: sql`model IS NOT NULL` }
    case 'refusals':
      return { from: exchanges, where: sql`outcome = 'refused'` }
    case 'runs':
      return grouped('run', [distinct('task', 'tasks'), distinct('grant', 'grants')], exchanges)
    case 'grants':
      return grouped('grant', [distinct('task', 'tasks')], exchanges)
    case 'tasks':
      return grouped('task', [sql`max(run) AS run`, distinct('grant', 'grants')], exchanges)
  }
}

function distinct(field: string, name: string): Fragment {
  return sql`count(DISTINCT ${sql.id(field)}) AS ${sql.id(name)}`
}

function grouped(field: string, own: readonly Fragment[], exchanges: Fragment): Source {
  const key = sql.id(field)
  const outcomes = OUTCOMES.map(
    (name) => sql`count(CASE WHEN outcome = ${sql.lit(name)} THEN 1 END) AS ${sql.id(name)}`,
  )
  const totals = TOTALS.map(
    (name) => sql`cast(coalesce(sum(${sql.id(name)}), 0) as bigint) AS ${sql.id(name)}`,
  )
  const columns = [
    key,
    ...own,
    sql`max(seq) AS seq`,
    sql`min(opened) AS opened`,
    sql`max(opened) AS ${sql.id('last')}`,
    sql`count(*) AS calls`,
    ...outcomes,
    sql`count(model) AS turns`,
    ...totals,
  ]
  const from = sql`(SELECT ${sql.join(columns)} FROM ${exchanges} WHERE ${key} IS NOT NULL GROUP BY ${key}) AS grouped`
  return { from, where: all([]) }
}
