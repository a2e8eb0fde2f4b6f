import { sql } from 'kysely'
import type { Where } from '../../../catalog/index.ts'
import { all, any, literal, type Dialect, type Fragment } from './dialect.ts'

type Value = string | number

/**
 * A filter as a condition, with the meaning that the plain reference gives it: never NULL, so that `not` turns it
 * around. Its values are as back ends keep them.
 */
export function conditionOf(where: Where, dialect: Dialect): Fragment {
  const conditions = Object.entries(where).map(([key, value]) => {
    if (key === 'not') return sql`NOT ${conditionOf(value as Where, dialect)}`
    if (key === 'and' || key === 'or') {
      const parts = (value as readonly Where[]).map((part) => conditionOf(part, dialect))
      return key === 'and' ? all(parts) : any(parts)
    }
    return fieldHolds(sql.id(key), value as Tests, dialect)
  })
  return all(conditions)
}

type Tests = Readonly<Record<string, Value | boolean | readonly Value[]>>

/** `ne` and `exists` speak of what is missing too; all the other tests need a value. */
function fieldHolds(field: Fragment, tests: Tests, dialect: Dialect): Fragment {
  const { ne, exists, ...each } = tests
  const conditions: Fragment[] = []
  if (exists !== undefined)
    conditions.push(exists === true ? sql`${field} IS NOT NULL` : sql`${field} IS NULL`)
  if (ne !== undefined)
    conditions.push(sql`(${field} IS NULL OR ${field} <> ${literal(ne as Value)})`)
  const others = Object.entries(each).map(([test, wanted]) =>
    testHolds(test, { field, wanted, dialect }),
  )
  if (others.length > 0) conditions.push(sql`${field} IS NOT NULL`, ...others)
  return all(conditions)
}

const COMPARISONS: Readonly<Record<string, Fragment>> = {
  eq: sql`=`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
}

interface Testing {
  readonly field: Fragment
  readonly wanted: unknown
  readonly dialect: Dialect
}

function testHolds(test: string, { field, wanted, dialect }: Testing): Fragment {
  const comparison = COMPARISONS[test]
  if (comparison !== undefined) return sql`${field} ${comparison} ${literal(wanted as Value)}`
  if (test === 'in') {
    const list = wanted as readonly Value[]
    return list.length === 0 ? any([]) : sql`${field} IN (${sql.join(list.map(literal))})`
  }
  const text = String(wanted)
  if (test === 'glob') return dialect.glob(field, text)
  // Both kinds of SQL count characters, as `Array.from` does.
  const { length } = Array.from(text)
  return sql`substr(${field}, 1, ${sql.lit(length)}) = ${literal(text)}`
}
