import type { LedgerRecord, Place } from '../port.ts'
import { MAX_LINE_BYTES } from './chain.ts'

export type RecordKind = 'intent' | 'outcome' | 'refusal' | 'event'

/** A record on its way to the disk. */
export interface Entry {
  readonly kind: RecordKind
  /** The record's JSON without its opening brace, so that `kind` and `n` can be put in front. */
  readonly body: string
  /** Filled in when the record is written: a number is given only to what reaches the file. */
  readonly place: { writer: string; n: number }
  /** For an outcome: the place of its intent. */
  readonly intent: Place | undefined
  /** Monotonic time in ms at which its caller is let down. */
  readonly due: number
  /** Set once the caller has its answer, good or bad. */
  settled: boolean
  /** True where the caller was told that the record could not be kept. */
  refused: boolean
  readonly resolve: (place: Place) => void
  readonly reject: (error: Error) => void
}

const RESERVED = ['kind', 'n'] as const

/** The JSON text behind `{"kind":…,"n":…`. Throws a TypeError where the record holds a member that is the log's own. */
export function bodyOf(kind: RecordKind, record: LedgerRecord): string {
  for (const name of RESERVED) {
    if (name in record)
      throw new TypeError(`ledger record: member \`${name}\` is the log's own; rename it`)
  }
  if (kind === 'outcome' && 'intent' in record) {
    throw new TypeError('ledger record: member `intent` of an outcome is the log’s own; rename it')
  }
  const json = JSON.stringify(record)
  // Three bytes a UTF-16 unit is the most that UTF-8 takes.
  if (json.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(json) > MAX_LINE_BYTES - 1024) {
    throw new RangeError(
      `ledger record: at most ${MAX_LINE_BYTES} bytes, got \`${json.length}\`; shorten it`,
    )
  }
  return json === '{}' ? '}' : `,${json.slice(1)}`
}

/** The record's JSON with its number. */
export function jsonOf(entry: Entry, n: number): string {
  const head = `{"kind":"${entry.kind}","n":${n}`
  return entry.intent === undefined
    ? head + entry.body
    : `${head},"intent":${entry.intent.n}${entry.body}`
}
