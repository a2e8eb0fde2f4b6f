import { sql } from 'kysely'
import { BUCKETS } from '../../../catalog/views/index.ts'
import type {
  Figure,
  FiguresQuery,
  Grouping,
  Kept,
  Mark,
  RowsQuery,
  ViewOrder,
  ViewQuery,
} from '../../../catalog/views/index.ts'
import { all, any, literal, type Dialect, type Fragment, type Statement } from './dialect.ts'
import { sourceOf } from './source.ts'
import { conditionOf } from './where.ts'

/** The statement of a question to a view. It gives one row more than a page holds, where there is one. */
export function buildView(query: ViewQuery, dialect: Dialect): Statement {
  const built = query.kind === 'rows' ? rowsOf(query, dialect) : figuresOf(query, dialect)
  return dialect.compile(built)
}

function rowsOf(query: RowsQuery, dialect: Dialect): Fragment {
  const { from, where } = sourceOf(query.view, dialect)
  // What the next page begins behind is read, too.
  const names = new Set([...query.select, ...query.order.map(({ field }) => field), 'seq'])
  const columns = [...names].map((name) => sql.id(name))
  const condition = all([where, conditionOf(query.where, dialect)])
  return sql`SELECT ${sql.join(columns)} FROM ${from} WHERE ${condition} ${paged(query)}`
}

/** What follows a condition: the place of the page, its order and its length. */
function paged({ order, limit, after }: ViewQuery): Fragment {
  const behind = after === undefined ? sql`` : sql`AND ${isBehind(order, after)}`
  const terms = order.map(
    ({ field, descending }) =>
      sql`${sql.id(field)} ${descending ? sql`DESC` : sql`ASC`} NULLS LAST`,
  )
  terms.push(sql`seq DESC`)
  return sql`${behind} ORDER BY ${sql.join(terms)} LIMIT ${sql.lit(limit + 1)}`
}

/** Whether a row follows the place in the order; what is missing comes last in either direction. */
function isBehind(order: readonly ViewOrder[], { keys, seq }: Mark): Fragment {
  return order.reduceRight<Fragment>(
    (later, { field, descending }, at) => {
      const name = sql.id(field)
      const key: Kept = keys[at] ?? null
      if (key === null) return all([sql`${name} IS NULL`, later])
      const comparison = descending ? sql`<` : sql`>`
      const value = literal(key)
      return any([
        sql`${name} ${comparison} ${value}`,
        sql`${name} IS NULL`,
        all([sql`${name} = ${value}`, later]),
      ])
    },
    sql`seq < ${literal(seq)}`,
  )
}

function figuresOf(query: FiguresQuery, dialect: Dialect): Fragment {
  const { by, count, figures } = query
  const { from, where } = sourceOf(query.view, dialect)
  const groups = (by ?? []).map(({ name }) => sql.id(nameOf(name)))
  const values = new Set([...figures.map(({ field }) => field), 'seq'])
  const read = [
    ...[...values].map((name) => sql.id(name)),
    ...(by ?? []).map(
      (grouping) => sql`${keyOf(grouping, dialect)} AS ${sql.id(nameOf(grouping.name))}`,
    ),
  ]
  const condition = all([where, conditionOf(query.where, dialect)])
  const rows = sql`(SELECT ${sql.join(read)} FROM ${from} WHERE ${condition}) AS passed`
  const columns = [
    ...groups,
    ...(count ? [sql`count(*) AS ${sql.id('count')}`] : []),
    ...figures.map(
      (figure) => sql`${figureOf(figure, dialect)} AS ${sql.id(`${figure.name}.${figure.field}`)}`,
    ),
    sql`max(seq) AS seq`,
  ]
  const figured = sql`SELECT ${sql.join(columns)} FROM ${rows}`
  if (by === undefined) return figured
  return sql`SELECT * FROM (${figured} GROUP BY ${sql.join(groups)}) AS figured WHERE 1 = 1 ${paged(query)}`
}

function nameOf(grouping: string): string {
  return `by.${grouping}`
}

function keyOf({ field, unit }: Grouping, dialect: Dialect): Fragment {
  const name = sql.id(field)
  if (unit === undefined) return name
  if (unit === 'week') return sql`${dialect.monday(name)} || 'T00:00:00.000Z'`
  const { length, rest } = BUCKETS[unit]
  return sql`substr(${name}, 1, ${sql.lit(length)}) || ${sql.lit(rest)}`
}

const PERCENTS = { p50: 50, p95: 95, p99: 99 } as const

/** Whole numbers are summed, so that no order of adding them makes a difference. */
function figureOf({ name, field }: Figure, dialect: Dialect): Fragment {
  const value = sql.id(field)
  switch (name) {
    case 'sum':
      return sql`cast(coalesce(sum(${value}), 0) as bigint)`
    case 'avg':
      return sql`cast(sum(${value}) as double precision) / count(${value})`
    case 'min':
      return sql`min(${value})`
    case 'max':
      return sql`max(${value})`
    case 'p50':
    case 'p95':
    case 'p99':
      return dialect.percentile(value, PERCENTS[name])
  }
}
