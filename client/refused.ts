/** One cause of a refusal. */
export interface RefusedReason {
  readonly axis: string
  /** The line of the token that refused. */
  readonly caveat?: string
  readonly got: string
  readonly repair: string
}

/**
 * What the gateway did not let through, or could not bring to its end. An upstream's own error is none: it has its status in the
 * answer. Its text holds neither token nor key.
 */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** As docs/errors.md lists them. */
  readonly code: string
  readonly status: number
  /** All causes, the first one first. */
  readonly reasons: readonly RefusedReason[]
  readonly receipt: string | null
  /** Whether the upstream was called. */
  readonly ran: boolean | 'unknown'

  constructor(code: string, status: number, problem: Problem = {}) {
    super(problem.error ?? code)
    this.code = code
    this.status = status
    this.reasons = problem.reasons ?? []
    this.receipt = problem.receipt ?? null
    this.ran = problem.ran ?? 'unknown'
  }
}

/** What is read of a problem document (RFC 9457). */
export interface Problem {
  readonly code?: string
  readonly error?: string
  readonly reasons?: readonly RefusedReason[]
  readonly receipt?: string
  readonly ran?: boolean | 'unknown'
}
