import { ROUNDS, WARM_UP_SECONDS } from '../config.ts'

/** One thing that is measured. */
export interface Row {
  readonly name: string
  readonly says: string
  /** Does it once, and throws where what came out is wrong. */
  once(): void | Promise<void>
}

/** Microseconds of CPU time for one run of a row, the median of all rounds. */
export type Figures = ReadonlyMap<string, number>

/** Rounds are short here, so that there are more of them for each of the bench. */
const SHORT_ROUNDS = 5 * ROUNDS
/** Microseconds of CPU time that a row gets before it counts, so that it is compiled, and in each round. */
const WARM_UP = WARM_UP_SECONDS * 100_000
const SLICE = 60_000

/**
 * Runs all rows in turns, so that what else happens on the machine meets all of them. CPU time of the process is
 * taken, which holds where others share the cores.
 */
export async function measure(rows: readonly Row[]): Promise<Figures> {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(row.name, await warmUp(row))
  const samples = new Map<string, number[]>(rows.map(({ name }) => [name, []]))
  for (let round = 0; round < SHORT_ROUNDS; round++) {
    for (const row of rows) {
      const count = counts.get(row.name) ?? 1
      samples.get(row.name)?.push((await timeOf(row, count)) / count)
    }
  }
  return new Map([...samples].map(([name, times]) => [name, median(times)]))
}

/** Gives how many runs fill a slice. */
async function warmUp(row: Row): Promise<number> {
  let count = 1
  for (let spent = 0; spent < WARM_UP;) {
    const time = await timeOf(row, count)
    spent += time
    // Not more than twice as many at once, since the first runs are slow.
    count = Math.max(1, Math.min(count * 2, Math.round((count * SLICE) / Math.max(time, 1))))
  }
  return count
}

async function timeOf(row: Row, count: number): Promise<number> {
  const before = process.cpuUsage()
  for (let run = 0; run < count; run++) {
    const waiting = row.once()
    if (waiting !== undefined) await waiting
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
