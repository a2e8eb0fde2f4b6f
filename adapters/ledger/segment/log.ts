import type { Head, Ledger, LedgerMode, LedgerRecord, Place } from '../port.ts'
import { LedgerUnavailableError } from '../unavailable.ts'
import type { LedgerAlarm } from './alarm.ts'
import { createCommitter, type Committer } from './committer.ts'
import { bodyOf, type RecordKind } from './entry.ts'
import { takeOwnership } from './owner.ts'
import { MAX_WAITING, NEVER_WRITTEN } from './queue.ts'
import { syncFolder } from './file.ts'
import { findWriter, retireWriter } from './writers.ts'

const DEFAULT_DEADLINE_MS = 2000
const DEFAULT_ROTATE_BYTES = 64 * 1024 * 1024

/** The log of segment files. */
export type SegmentLog = Ledger

export interface SegmentLogOptions {
  /** Holds the lock and one sub-folder a writer; made where it does not exist. */
  readonly folder: string
  readonly mode: LedgerMode
  readonly clock: { now(): number }
  /** Longest wait of a caller, in ms. @default 2000 */
  readonly deadlineMs?: number
  /** A segment that has so many bytes is followed by a new one. @default 64 MiB */
  readonly rotateBytes?: number
  readonly onAlarm?: (alarm: LedgerAlarm) => void
}

/**
 * Opens the log and makes this process its one owner. Recovers what a crash left: a torn last line is cut,
 * intents without an outcome get the outcome `unknown`, damage retires its writer and is recorded as an event.
 * A full disk does not fail the opening: the log is then not ready, and becomes so by itself.
 */
export async function openSegmentLog(options: SegmentLogOptions): Promise<SegmentLog> {
  const { folder, clock, onAlarm = () => undefined } = options
  const deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS
  const lock = takeOwnership(folder)
  try {
    const { recovered, damaged } = findWriter(folder)
    await syncFolder(folder)
    if (recovered.torn !== undefined) onAlarm({ kind: 'torn_tail', ...recovered.torn })
    const committer = await createCommitter({
      folder,
      recovered,
      mode: options.mode,
      deadlineMs,
      rotateBytes: options.rotateBytes ?? DEFAULT_ROTATE_BYTES,
      now: () => clock.now(),
      onAlarm,
    })
    const log = segmentLog(committer, {
      mode: options.mode,
      deadlineMs,
      writer: recovered.writer,
      lock,
      instant: () => new Date(clock.now()).toISOString(),
    })
    for (const n of recovered.open) {
      committer.note({ writer: recovered.writer, n }, { outcome: 'unknown', ran: 'unknown' })
    }
    await committer.start()
    for (const damage of damaged) {
      onAlarm({ kind: 'damage', ...damage })
      const { writer: subject, ...data } = damage
      const recorded = await log
        .event({ event: 'ledger_damaged', subject, actor: 'gateway', data })
        .catch(() => undefined)
      // Where the event could not be kept, the next start finds the damage again.
      if (recorded !== undefined) retireWriter(folder, damage)
    }
    return log
  } catch (error) {
    lock.release()
    throw error
  }
}

function segmentLog(
  committer: Committer,
  options: {
    readonly mode: LedgerMode
    readonly deadlineMs: number
    readonly writer: string
    readonly lock: { release(): void }
    /** The time now (RFC 3339). */
    readonly instant: () => string
  },
): SegmentLog {
  const { deadlineMs, writer, lock, instant } = options
  let closing: Promise<void> | undefined

  /** The callers' functions are not `async`: a promise around a promise would cost more than the append. */
  const append = (kind: RecordKind, text: Text, intent?: Place): Promise<Place> =>
    new Promise((resolve, reject) => {
      const { record, json, mode = options.mode } = text
      // What is thrown in here, such as a TypeError about the record, rejects.
      const body = bodyOf(kind, record, json)
      if (intent !== undefined && intent.writer !== writer) throw foreign(intent, writer)
      if (closing !== undefined) throw new LedgerUnavailableError('the log is closed')
      if (committer.waiting() >= MAX_WAITING) {
        if (mode !== 'best-effort') {
          if (intent !== undefined) committer.leaveOpen(intent)
          throw new LedgerUnavailableError(`${MAX_WAITING} records wait for the disk`)
        }
        committer.lose()
        return resolve({ writer, n: NEVER_WRITTEN })
      }
      committer.append({
        kind,
        mode,
        body,
        place: { writer, n: 0 },
        intent,
        due: performance.now() + deadlineMs,
        settled: false,
        refused: false,
        resolve,
        reject,
      })
    })

  return {
    mode: options.mode,
    intent: (record, json, mode) => append('intent', { record, json, mode }),
    outcome: (intent, record, json, mode) => append('outcome', { record, json, mode }, intent),
    refusal: (record, json, mode) => append('refusal', { record, json, mode }),
    event: (record) => append('event', { record: { at: instant(), ...record } }),
    head: (): Head => ({ writer, ...committer.durable() }),
    ready: () =>
      closing === undefined ? committer.ready() : { ok: false, why: 'the log is closed' },
    stats: () => committer.stats(),
    close: () => (closing ??= committer.close().finally(() => lock.release())),
  }
}

/** A record with its JSON, where the caller has that. */
interface Text {
  readonly record: LedgerRecord
  readonly json?: string | undefined
  /** The log's where it is left out. */
  readonly mode?: LedgerMode | undefined
}

function foreign(intent: Place, writer: string): TypeError {
  return new TypeError(
    `ledger outcome: the intent is of the writer \`${intent.writer}\`, this is \`${writer}\``,
  )
}
