import { sql } from 'kysely'
import type { Where } from '../../../catalog/index.ts'
import { POSTGRES, type Statement } from '../query/dialect.ts'
import { conditionOf } from '../query/where.ts'

export { answerOf } from '../query/answer.ts'
export { buildView } from '../query/build.ts'
export { POSTGRES } from '../query/dialect.ts'

/** Whole receipts, in the order of the ledger or against it. */
export function buildReceipts(
  where: Where,
  { order, limit }: { readonly order: 'ASC' | 'DESC'; readonly limit: number },
): Statement {
  const condition = conditionOf(where, POSTGRES)
  return POSTGRES.compile(
    sql`SELECT seq, intent, result FROM ${POSTGRES.exchanges} WHERE ${condition}
        ORDER BY seq ${sql.raw(order)} LIMIT ${sql.lit(limit)}`,
  )
}

/** How many receipts have each outcome. */
export function buildCounts(where: Where): Statement {
  const condition = conditionOf(where, POSTGRES)
  return POSTGRES.compile(
    sql`SELECT outcome, count(*) AS count FROM ${POSTGRES.exchanges} WHERE ${condition} GROUP BY outcome`,
  )
}
