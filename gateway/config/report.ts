import type { Problem } from './types.ts'

/** Where the problems of one configuration are gathered, so that all are told at once. */
export interface Report {
  readonly problems: readonly Problem[]
  add(path: string, got: string, repair: string): void
  /** Takes in problems found elsewhere. */
  include(problems: readonly Problem[]): void
  /**
   * Builds each element that has the right shape. An element whose shape is wrong was reported by the
   * schema; its neighbours are still checked.
   */
  items<T, R>(
    path: string,
    list: readonly T[] | undefined,
    build: (item: T, at: string) => R | undefined,
  ): readonly R[]
  /** Whether the value at this very path has the right shape, whatever lies in it. */
  usable(path: string): boolean
  /** Builds one value, unless it is absent or it or something in it has the wrong shape. */
  field<T, R>(
    path: string,
    value: T | undefined,
    build: (value: T, at: string) => R | undefined,
  ): R | undefined
}

/** `misshapen` are the paths at which the schema found a value that cannot be used. */
export function createReport(
  found: readonly Problem[] = [],
  misshapen: readonly string[] = [],
): Report {
  const problems = [...found]
  const exactly = new Set(misshapen)
  const within = (path: string): boolean =>
    misshapen.some(
      (bad) => bad === path || bad.startsWith(`${path}.`) || bad.startsWith(`${path}[`),
    )
  return {
    problems,
    add(path, got, repair) {
      problems.push({ path, got, repair })
    },
    include(more) {
      problems.push(...more)
    },
    usable: (path) => !exactly.has(path),
    items(path, list, build) {
      if (list === undefined || exactly.has(path)) return []
      return list.flatMap((item, index) => {
        const at = `${path}[${index}]`
        const built = exactly.has(at) ? undefined : build(item, at)
        return built === undefined ? [] : [built]
      })
    },
    field(path, value, build) {
      return value === undefined || within(path) ? undefined : build(value, path)
    },
  }
}

/** One line for a terminal: path, what was got, and how to repair it. */
export function printProblem(problem: Problem): string {
  return `${problem.path}: got ${problem.got}; ${problem.repair}`
}
