import { createReport, members, type FieldProblem, type Members } from '../check.ts'
import { WANT_CHECKS, checkTogether } from './fields.ts'
import type { Want } from './types.ts'

/** A want that was read, or all that is wrong with it. */
export type ParsedWant =
  | { readonly ok: true; readonly want: Want }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** Reads the request header `want`: a select list such as `number,title,user.login`, or a JSON object. */
export function parseWant(headerText: string): ParsedWant {
  const trimmed = headerText.trim()
  if (!trimmed.startsWith('{')) {
    return checkWant({ select: trimmed.split(',').map((entry) => entry.trim()) })
  }
  try {
    return checkWant(JSON.parse(trimmed))
  } catch {
    const report = createReport()
    report.malformed('want', headerText, 'write a select list, or a JSON object')
    return { ok: false, problems: report.problems }
  }
}

/** Checks a want that came as a value, such as a row's default. */
export function checkWant(got: unknown, path = ''): ParsedWant {
  const report = createReport()
  members(WANT_CHECKS)(got, path, report)
  if (report.problems.length === 0) checkTogether(got as Members, path, report)
  if (report.problems.length > 0) return { ok: false, problems: report.problems }
  return { ok: true, want: got as Want }
}

/** A want as it applies to one call. */
export interface CombinedWant {
  readonly want: Want
  /** The ceiling of the row. */
  readonly only?: readonly string[]
}

/**
 * Which want applies: what was asked for, else the row's default; undefined where the answer passes
 * as it is. `only` is no want but a ceiling: it stays whatever was asked.
 */
export function combineWant(
  rowDefault: Want | undefined,
  only: readonly string[] | undefined,
  asked: Want | undefined,
): CombinedWant | undefined {
  const want = asked ?? rowDefault
  if (want === undefined && only === undefined) return undefined
  return { want: want ?? {}, ...(only && { only }) }
}
