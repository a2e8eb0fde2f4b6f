/** `unproven` is neither good nor bad: it says what could not be looked at, and why. */
export type Result = 'ok' | 'failed' | 'unproven'

/** One thing that was looked at. */
export interface Finding {
  readonly subject: string
  readonly result: Result
  readonly seen: string
  /** What to do; only where the result is not ok. */
  readonly repair?: string
}

export function ok(subject: string, seen: string): Finding {
  return { subject, result: 'ok', seen }
}

export function failed(subject: string, seen: string, repair: string): Finding {
  return { subject, result: 'failed', seen, repair }
}

export function unproven(subject: string, seen: string, repair: string): Finding {
  return { subject, result: 'unproven', seen, repair }
}

/** The text of whatever was thrown. */
export function why(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
