import type { Problem } from './tool.ts'

/** A problem of an envelope or want, with the code of its refusal. */
export interface FieldProblem extends Problem {
  readonly code: 'malformed_request' | 'unknown_field' | 'not_supported'
}

/** Collects problems; each check reports and goes on, so that all are found at once. */
export interface Report {
  readonly problems: readonly FieldProblem[]
  malformed(path: string, got: unknown, repair: string): void
  unknown(path: string, name: string, known: readonly string[]): void
  unsupported(path: string, got: unknown, repair: string): void
  /** Takes over a problem that was found elsewhere. */
  include(problem: FieldProblem): void
}

export type Members = Readonly<Record<string, unknown>>

/** Makes an empty report. */
export function createReport(): Report {
  const problems: FieldProblem[] = []
  const add = (code: FieldProblem['code'], path: string, got: string, repair: string) =>
    void problems.push({ code, path, got, repair })
  return {
    problems,
    malformed: (path, got, repair) => add('malformed_request', path, shown(got), repair),
    unsupported: (path, got, repair) => add('not_supported', path, shown(got), repair),
    include: (problem) => void problems.push(problem),
    unknown: (path, name, known) => add('unknown_field', path, name, `use ${known.join(', ')}`),
  }
}

/** A value as an error text shows it: scalars as JSON, cut short. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

/** Whether a value is an object with members, not a list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Joins a path and the name of a member. */
export function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** What checks one member. */
export type Check = (value: unknown, path: string, report: Report) => void

/** Checks an object whose members are all known. */
export function members(checks: Readonly<Record<string, Check>>): Check {
  return (value, path, report) => {
    if (!isMembers(value)) return report.malformed(path, value, 'write an object')
    for (const [name, member] of Object.entries(value)) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined
      if (check === undefined) report.unknown(below(path, name), name, Object.keys(checks))
      else check(member, below(path, name), report)
    }
  }
}

/** Checks one value by a predicate. */
export function value(holds: (value: unknown) => boolean, repair: string): Check {
  return (got, path, report) => {
    if (!holds(got)) report.malformed(path, got, repair)
  }
}

/** Checks a list of at most 256 elements. */
export function list(element: Check): Check {
  return (got, path, report) => {
    if (!Array.isArray(got) || got.length > 256) {
      return report.malformed(path, got, 'write a list of at most 256 elements')
    }
    for (const [at, item] of got.entries()) element(item, `${path}[${at}]`, report)
  }
}

/** Checks a text that is one of a few. */
export function oneOf(names: readonly string[]): Check {
  return value((got) => names.includes(got as string), `use one of ${names.join(', ')}`)
}

/** Checks a whole number within bounds. */
export function integer(low: number, high: number): Check {
  return value(
    (got) => Number.isSafeInteger(got) && (got as number) >= low && (got as number) <= high,
    `write a whole number from ${low} to ${high}`,
  )
}

export const boolean: Check = value((got) => typeof got === 'boolean', 'write true or false')
export const text: Check = value((got) => typeof got === 'string', 'write a text')
