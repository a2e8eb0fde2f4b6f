import type { Tool } from '../../catalog/index.ts'

/** What became of the rows of a file, by name. */
export interface Difference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

/** Compares the rows that a file had with those that it gets. */
export function compareRows(before: readonly Tool[], after: readonly Tool[]): Difference {
  const old = new Map(before.map((tool) => [tool.name, JSON.stringify(tool)]))
  const now = new Set(after.map(({ name }) => name))
  return {
    added: after.flatMap(({ name }) => (old.has(name) ? [] : [name])),
    removed: before.flatMap(({ name }) => (now.has(name) ? [] : [name])),
    changed: after.flatMap((tool) => {
      const known = old.get(tool.name)
      return known === undefined || known === JSON.stringify(tool) ? [] : [tool.name]
    }),
  }
}
