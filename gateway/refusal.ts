import type { Reason } from '../policy/index.ts'
import { ERRORS, type ErrorCode } from './errors.ts'

/** One cause of a refusal, as formats say: which line, what was got, how to repair it. */
export interface RefusalReason {
  readonly axis: string
  readonly caveat?: string
  /** Set where the line was put on the grant by its owner, and stands in no token. */
  readonly leash?: true
  readonly got: string
  readonly repair: string
}

/**
 * A call that is not let through, or not answered. Thrown by stages and turned into an answer at one place
 * only (`refuse` in exchange.ts). It is not a fault of the program.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly reasons: readonly RefusalReason[]
  readonly status: number
  /** Seconds after which a new try makes sense (Retry-After). */
  readonly retryAfter: number | undefined
  /** Whether the client's connection ends with the answer. */
  readonly closes: boolean

  constructor(code: ErrorCode, reasons: readonly RefusalReason[], options: RefusalOptions = {}) {
    super(ERRORS[code].title)
    this.name = 'Refusal'
    this.code = code
    this.reasons = reasons
    this.status = options.status ?? ERRORS[code].status
    this.retryAfter = options.retryAfter
    this.closes = options.closes ?? false
  }
}

interface RefusalOptions {
  readonly status?: number
  readonly retryAfter?: number
  readonly closes?: boolean
}

/** A refusal with a single reason. */
export function refusal(
  code: ErrorCode,
  axis: string,
  { got, repair, ...options }: RefusalOptions & { readonly got: string; readonly repair: string },
): Refusal {
  return new Refusal(code, [{ axis, got, repair }], options)
}

/** The refusal that policy's reasons amount to: the first reason's code, all reasons kept. */
export function refusalOfReasons(reasons: readonly Reason[]): Refusal {
  const first = reasons[0]
  const code =
    first !== undefined && first.code in ERRORS ? (first.code as ErrorCode) : 'policy_disagreement'
  return new Refusal(
    code,
    reasons.map(({ axis, caveat, leash, got, repair }) => ({
      axis,
      caveat,
      ...(leash === undefined ? {} : { leash }),
      got,
      repair,
    })),
  )
}

/** What an answer adds to a refusal. */
export interface RefusalContext {
  /** The status that is sent: 407 in place of 401 on a proxy. */
  readonly status: number
  readonly ran: boolean | 'unknown'
  /** Id of the receipt, where one was written. */
  readonly receipt: string | undefined
}

/** What every HTTP door says of a refusal in fields; `name` is the configured one of the field for its code. */
export function refusalFields({ code, retryAfter }: Refusal, name: string): readonly string[] {
  const wait = retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]
  return [name, code, ...wait, 'cache-control', 'no-store']
}

/** The problem document (RFC 9457) that a client gets. */
export function problemDocument(
  refused: Refusal,
  { status, ran, receipt }: RefusalContext,
): object {
  return {
    type: `urn:narrowgate:docs/errors#${refused.code}`,
    title: refused.message,
    status,
    code: refused.code,
    refused: ran === false,
    ran,
    reasons: refused.reasons,
    error: sentenceOf(refused),
    ...(receipt === undefined ? {} : { receipt }),
  }
}

/** A refusal in one line: npm, the openai SDK and gRPC clients show their users nothing else of it. */
export function sentenceOf({ code, message, reasons }: Refusal): string {
  const repair = reasons[0]?.repair
  return `${code}: ${message}${repair === undefined ? '' : `; ${repair}`}`
}
