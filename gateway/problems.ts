import type { FieldProblem } from '../catalog/index.ts'
import type { ErrorCode } from './errors.ts'
import { Refusal } from './refusal.ts'

/** The refusal of what was read and found wrong: all problems, by the code of the first. */
export function refusalOfProblems(found: readonly FieldProblem[]): Refusal {
  const code: ErrorCode = found[0]?.code ?? 'malformed_request'
  return new Refusal(
    code,
    found.map(({ path, got, repair }) => ({ axis: path, got, repair })),
  )
}
