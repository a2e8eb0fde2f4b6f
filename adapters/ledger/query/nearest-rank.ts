import type Database from 'better-sqlite3'

/** Adds the aggregates `nearest_rank_50`, `_95` and `_99`: the value at place ceil(p·n) of the numbers that are there. */
export function addNearestRank(db: Database.Database): void {
  for (const percent of [50, 95, 99]) {
    db.aggregate<number[]>(`nearest_rank_${percent}`, {
      deterministic: true,
      start: () => [],
      step(values, value: unknown) {
        if (typeof value === 'number') values.push(value)
      },
      result: (values) => nearestRank(values, percent),
    })
  }
}

function nearestRank(values: readonly number[], percent: number): number | null {
  const sorted = Float64Array.from(values).sort()
  // Whole numbers until the division, since 0.95 times a number may be a little more than it should.
  return sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null
}
