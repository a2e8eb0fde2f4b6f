import { compare, type Lookup } from './filter.ts'

/** One entry of an order list. */
export interface OrderTerm {
  readonly path: string
  readonly descending: boolean
}

/** Reads an order list, `-` for descending. */
export function orderTerms(order: readonly string[]): readonly OrderTerm[] {
  return order.map((text) => {
    const descending = text.startsWith('-')
    return { path: descending ? text.slice(1) : text, descending }
  })
}

/** What one row is ordered by: the first value of each path, undefined where it is missing. */
export function orderKeys(terms: readonly OrderTerm[], lookup: Lookup): readonly unknown[] {
  return terms.map((term) => lookup(term.path)[0])
}

/** Compares two rows by their keys; a missing value comes last in either direction. */
export function compareKeys(
  terms: readonly OrderTerm[],
  one: readonly unknown[],
  two: readonly unknown[],
): number {
  for (const [at, term] of terms.entries()) {
    const [left, right] = [one[at], two[at]]
    if (left === undefined || right === undefined) {
      if (left !== right) return left === undefined ? 1 : -1
      continue
    }
    const difference = compare(left, right)
    if (difference !== 0) return term.descending ? -difference : difference
  }
  return 0
}
