import { compare, type Lookup } from './filter.ts'
import type { Aggregate } from './types.ts'

/** Collects the figures of an aggregate, row by row. */
export interface Aggregator {
  add(lookup: Lookup): void
  /** Values held so far, for limits. */
  held(): number
  /** An object, or with `by` one object for each group, in the order in which groups first came. */
  result(): unknown
}

type Figure = (values: readonly unknown[]) => unknown

const FIGURES = {
  sum: (values) => sum(numbers(values)),
  min: (values) => extreme(values, -1),
  max: (values) => extreme(values, 1),
  avg: (values) => average(numbers(values)),
  p50: (values) => percentile(numbers(values), 50),
  p95: (values) => percentile(numbers(values), 95),
  p99: (values) => percentile(numbers(values), 99),
} satisfies Record<string, Figure>

type FigureName = keyof typeof FIGURES

/** Names of the figures that take a list of paths. */
export const FIGURE_NAMES = Object.keys(FIGURES) as readonly FigureName[]

interface Group {
  readonly by: readonly unknown[]
  rows: number
  readonly values: Map<string, unknown[]>
}

/** Every path that an aggregate reads. */
export function pathsOfAggregate(aggregate: Aggregate): readonly string[] {
  return [...measured(aggregate), ...(aggregate.by ?? [])]
}

function measured(aggregate: Aggregate): readonly string[] {
  return [...new Set(FIGURE_NAMES.flatMap((name) => aggregate[name] ?? []))]
}

/** Makes the collector of an aggregate. */
export function createAggregator(aggregate: Aggregate): Aggregator {
  const groups = new Map<string, Group>()
  const paths = measured(aggregate)
  const by = aggregate.by ?? []
  let held = 0
  const groupOf = (lookup: Lookup): Group => {
    const values = by.map((path) => lookup(path)[0] ?? null)
    const id = JSON.stringify(values)
    const group = groups.get(id) ?? { by: values, rows: 0, values: new Map() }
    groups.set(id, group)
    return group
  }
  if (by.length === 0) groupOf(() => [])
  return {
    add(lookup) {
      const group = groupOf(lookup)
      group.rows++
      for (const path of paths) {
        const values = group.values.get(path) ?? []
        group.values.set(path, values)
        for (const value of lookup(path)) values.push(value)
        held += lookup(path).length
      }
    },
    held: () => held + groups.size,
    result() {
      const results = [...groups.values()].map((group) => figuresOf(aggregate, group))
      return aggregate.by === undefined ? results[0] : results
    },
  }
}

function figuresOf(aggregate: Aggregate, group: Group): unknown {
  const by = aggregate.by?.map((path, at) => [path, group.by[at]] as const)
  const figures = FIGURE_NAMES.flatMap((name) => {
    const entries = aggregate[name]?.map(
      (path) => [path, FIGURES[name](group.values.get(path) ?? [])] as const,
    )
    return entries === undefined ? [] : [[name, Object.fromEntries(entries)] as const]
  })
  return {
    ...(by && { by: Object.fromEntries(by) }),
    ...(aggregate.count && { count: group.rows }),
    ...Object.fromEntries(figures),
  }
}

function numbers(values: readonly unknown[]): readonly number[] {
  return values.filter((value) => typeof value === 'number')
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function average(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length
}

/** Smallest or largest of the numbers and texts. */
function extreme(values: readonly unknown[], direction: 1 | -1): unknown {
  const ordered = values.filter((value) => typeof value === 'number' || typeof value === 'string')
  return ordered.reduce<unknown>(
    (best, value) => (best === null || compare(value, best) * direction > 0 ? value : best),
    null,
  )
}

/** Nearest rank: the value at place ceil(p·n) of the sorted values; null where there are none. */
function percentile(values: readonly number[], percent: number): number | null {
  const sorted = values.toSorted((one, two) => one - two)
  // Whole numbers until the division, since 0.95 * 20 is a little more than 19.
  return sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null
}
