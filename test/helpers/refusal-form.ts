import { ERRORS } from '../../gateway/errors.ts'
import type { ErrorCode } from '../../gateway/errors.ts'

/** As much of an answer as a refusal can be read from. */
export interface Answered {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly text: string
}

/** The shortest way to say what a client can read in a refusal, and what it should. */
export function formOf({ status, header, text }: Answered) {
  const document = JSON.parse(text) as Record<string, unknown>
  const { type, title, code, refused, ran, reasons, receipt, error } = document
  const all = Array.isArray(reasons) ? (reasons as readonly Record<string, unknown>[]) : []
  const wait = header('retry-after')
  return {
    status: [status, document['status']],
    media: header('content-type'),
    cache: header('cache-control'),
    code: [header('refused'), code],
    type,
    title,
    ran,
    refused,
    reasons: all.length > 0 && all.every(isComplete),
    sentence: error === `${String(code)}: ${String(title)}; ${String(all[0]?.['repair'])}`,
    receipt: receipt === header('receipt') ? typeof receipt === 'string' : 'another one',
    waits: wait !== undefined && /^[1-9]\d*$/.test(wait),
  }
}

function isComplete(reason: Record<string, unknown>): boolean {
  return ['axis', 'got', 'repair'].every((name) => {
    const text = reason[name]
    return typeof text === 'string' && text.trim() !== ''
  })
}

export interface Wanted {
  readonly code: ErrorCode
  /** Another one than the code's own. */
  readonly status?: number
  readonly ran?: boolean | 'unknown'
  /** False where nothing can be recorded. */
  readonly receipt?: boolean
  /** Whether it says when to try again. */
  readonly waits?: boolean
}

/** What `formOf` says of a refusal that is as docs/errors.md has it. */
export function wantedForm({ code, ran = false, receipt = true, waits = false, ...own }: Wanted) {
  const { status, title } = { ...ERRORS[code], ...own }
  return {
    status: [status, status],
    media: 'application/problem+json',
    cache: 'no-store',
    code: [code, code],
    type: `urn:narrowgate:docs/errors#${code}`,
    title,
    ran,
    refused: ran === false,
    reasons: true,
    sentence: true,
    receipt,
    waits,
  }
}
