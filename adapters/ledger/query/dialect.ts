import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect as Compiling,
  type RawBuilder,
} from 'kysely'
import type { Kept } from '../../../catalog/index.ts'

/** A part of a statement. */
export type Fragment = RawBuilder<unknown>

/** A statement as a driver takes it. */
export interface Statement {
  readonly text: string
  readonly values: readonly Kept[]
}

/** What the two kinds of SQL say differently; all else is written once. */
export interface Dialect {
  /** The table of exchanges. */
  readonly exchanges: Fragment
  /** Whether a text matches a pattern in which `*` stands for any characters. */
  glob(field: Fragment, pattern: string): Fragment
  /** The Monday of a time: its first ten characters. */
  monday(time: Fragment): Fragment
  /** Nearest rank: the value at place ceil(p·n) of those that are there. */
  percentile(field: Fragment, percent: 50 | 95 | 99): Fragment
  compile(fragment: Fragment): Statement
}

function compiler(dialect: Compiling): Dialect['compile'] {
  const kysely = new Kysely<unknown>({ dialect })
  return (fragment) => {
    const { sql: text, parameters } = fragment.compile(kysely)
    return { text, values: parameters as readonly Kept[] }
  }
}

/** The embedded index. Its connection has the aggregates `nearest_rank_50`, `_95` and `_99`. */
export const SQLITE: Dialect = {
  exchanges: sql.table('receipts'),
  glob(field, pattern) {
    const escaped = pattern.replaceAll(/[?[]/g, '[$&]')
    return sql`${field} GLOB cast(${escaped} as text)`
  },
  monday: (time) =>
    sql`date(substr(${time}, 1, 10), '-' || ((strftime('%w', substr(${time}, 1, 10)) + 6) % 7) || ' days')`,
  percentile: (field, percent) => sql`${sql.raw(`nearest_rank_${percent}`)}(${field})`,
  compile: compiler({
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }),
}

/** PostgreSQL 15 or later. */
export const POSTGRES: Dialect = {
  exchanges: sql.table('narrowgate.exchanges'),
  glob(field, pattern) {
    const escaped = pattern.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%')
    return sql`${field} LIKE cast(${escaped} as text)`
  },
  monday: (time) =>
    sql`to_char(date_trunc('week', cast(substr(${time}, 1, 10) as timestamp)), 'YYYY-MM-DD')`,
  // Whole numbers throughout, which percentile_disc does not count with.
  percentile: (field, percent) =>
    sql`(array_agg(${field} ORDER BY ${field}) FILTER (WHERE ${field} IS NOT NULL))[(count(${field}) * ${sql.lit(percent)} + 99) / 100]`,
  compile: compiler({
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }),
}

/** A value in a statement, of a type that both sides of a comparison have. */
export function literal(value: string | number): Fragment {
  if (typeof value === 'string') return sql`cast(${value} as text)`
  return Number.isSafeInteger(value)
    ? sql`cast(${value} as bigint)`
    : sql`cast(${value} as double precision)`
}

/** Conditions that all hold. */
export function all(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` AND `)})`
}

/** Conditions of which one holds. */
export function any(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join(conditions, sql` OR `)})`
}
