import type { GraphQLSchema } from 'graphql'
import type { Tool } from '../../catalog/index.ts'
import { schemaOf } from './schema.ts'

/** Rows in all schemas that are kept; the one that was asked for last is kept however large it is. */
const MOST_ROWS = 50_000

/** Schemas by the rows that are in them: a client asks again and again with one token. */
export interface Schemas {
  /** `all` are the rows of the catalog in force: with another list everything that was made is forgotten. */
  of(rows: readonly Tool[], all: readonly Tool[]): GraphQLSchema
}

export function createSchemas(): Schemas {
  const kept = new Map<string, { readonly schema: GraphQLSchema; readonly rows: number }>()
  let catalog: readonly Tool[] = []
  const makeRoom = () => {
    let sum = [...kept.values()].reduce((all, { rows }) => all + rows, 0)
    // The first is the one that was not asked for for the longest time.
    for (const [key, { rows }] of kept) {
      if (sum <= MOST_ROWS || kept.size === 1) return
      kept.delete(key)
      sum -= rows
    }
  }
  return {
    of(rows, all) {
      if (all !== catalog) kept.clear()
      catalog = all
      const key = rows.map(({ name }) => name).join(' ')
      const found = kept.get(key) ?? { schema: schemaOf(rows), rows: rows.length + 1 }
      kept.delete(key)
      kept.set(key, found)
      makeRoom()
      return found.schema
    },
  }
}
