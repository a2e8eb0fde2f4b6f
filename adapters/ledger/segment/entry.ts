import type { LedgerMode, LedgerRecord, Place } from '../port.ts'
import { LedgerUnavailableError } from '../unavailable.ts'
import { MAX_LINE_BYTES } from './chain.ts'

export type RecordKind = 'intent' | 'outcome' | 'refusal' | 'event'

/** A record on its way to the disk. */
export interface Entry {
  readonly kind: RecordKind
  readonly mode: LedgerMode
  /** The record's JSON; `kind` and `n` are put in front when it is written. */
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
  /** Told whether the record was kept, where its caller was let down while it was being written. */
  learn?: (kept: boolean) => void
  readonly resolve: (place: Place) => void
  readonly reject: (error: Error) => void
}

const RESERVED = ['kind', 'n'] as const

/** The record's JSON text, checked. Throws a TypeError where the record holds a member that is the log's own. */
export function bodyOf(kind: RecordKind, record: LedgerRecord, json?: string): string {
  const body = json ?? JSON.stringify(record)
  for (const name of RESERVED) {
    if (name in record)
      throw new TypeError(`ledger record: member \`${name}\` is the log's own; rename it`)
  }
  if (kind === 'outcome' && 'intent' in record) {
    throw new TypeError('ledger record: member `intent` of an outcome is the log’s own; rename it')
  }
  // Three bytes a UTF-16 unit is the most that UTF-8 takes.
  if (body.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(body) > MAX_LINE_BYTES - 1024) {
    throw new RangeError(
      `ledger record: at most ${MAX_LINE_BYTES} bytes, got \`${body.length}\`; shorten it`,
    )
  }
  return body
}

/** A record of the log's own, for which no caller waits. */
export function unawaited(
  kind: RecordKind,
  record: LedgerRecord,
  place: {
    readonly mode: LedgerMode
    readonly writer: string
    readonly intent: Place | undefined
  },
): Entry {
  const { mode, writer, intent } = place
  return {
    kind,
    mode,
    body: bodyOf(kind, record),
    place: { writer, n: 0 },
    intent,
    due: Infinity,
    settled: true,
    refused: false,
    resolve: () => undefined,
    reject: () => undefined,
  }
}

const COMMA = 0x2c
const CLOSING_BRACE = 0x7d

/** Writes the record's JSON with its number, and returns where it ends. The body is copied once, into its place. */
export function writeJson(
  buffer: Buffer,
  at: number,
  { entry, n }: { entry: Entry; n: number },
): number {
  const { kind, intent, body } = entry
  const place = intent === undefined ? '' : `,"intent":${intent.n}`
  const joint = at + buffer.write(`{"kind":"${kind}","n":${n}${place}`, at, 'latin1')
  const end = joint + buffer.write(body, joint, 'utf8')
  // The body's opening brace gives way to a comma; of an empty body only the closing one is left.
  const isEmpty = body === '{}'
  buffer[joint] = isEmpty ? CLOSING_BRACE : COMMA
  return isEmpty ? joint + 1 : end
}

/** Gives its caller the record's place. */
export function resolve(entry: Entry): void {
  if (entry.settled) return
  entry.settled = true
  entry.resolve(entry.place)
}

/** Lets its caller down: the record will not be written. */
export function refuse(entry: Entry, why: string): void {
  giveUp(entry, new LedgerUnavailableError(why))
}

/** Lets its caller down while the record is being written: what becomes of it is told later. */
export function refuseUnderway(entry: Entry, why: string): void {
  const fate = new Promise<boolean>((learn) => (entry.learn = learn))
  giveUp(entry, new LedgerUnavailableError(why, { fate }))
}

function giveUp(entry: Entry, error: Error): void {
  if (entry.settled) return
  entry.settled = true
  entry.refused = true
  entry.reject(error)
}
