import { setTimeout as sleep } from 'node:timers/promises'
import type { LedgerMode, LedgerRecord, Place } from '../port.ts'
import type { LedgerAlarm } from './alarm.ts'
import type { ChainEnd } from './encoder.ts'
import { refuse, refuseUnderway, resolve, unawaited, type Entry } from './entry.ts'
import { Losses } from './losses.ts'
import { Outage } from './outage.ts'
import { createAppendQueue } from './queue.ts'
import { createSegmentSeries, type SegmentSeries, type SeriesOptions } from './series.ts'

/** In the modes that answer before the sync, the disk is synced at most so often. */
const LAZY_SYNC_MS = 25
/**
 * While so many exchanges are open more records are about to come, and a batch waits so long for them: a sync costs as
 * much for one record as for a hundred.
 */
const GATHER_MS = 2
const MANY = 8
/** So many records do not wait for more. */
const ENOUGH = 256
/** How long after a failure the disk is tried again. */
const RETRY_MS = 100
const GIVEN_UP = { outcome: 'failed', ran: false, status: 503, code: 'ledger_unavailable' }

export interface CommitterOptions extends Omit<SeriesOptions, 'openIntents'> {
  readonly mode: LedgerMode
  readonly deadlineMs: number
  readonly onAlarm: (alarm: LedgerAlarm) => void
}

/** Opens the segments for writing. */
export async function createCommitter(options: CommitterOptions): Promise<Committer> {
  const open = new Set(options.recovered.open)
  const series = await createSegmentSeries({ ...options, openIntents: () => open })
  return new Committer(options, { series, open })
}

/**
 * Brings records to the disk in batches: at once when it is idle, else whatever came meanwhile goes with the next
 * sync. After an error it keeps what waits, for as long as the callers do, and tries again by itself.
 */
export class Committer {
  readonly #options: CommitterOptions
  readonly #series: SegmentSeries
  readonly #queue = createAppendQueue((entry) => this.#dropped(entry))
  /** Numbers of the durable intents that have no durable outcome. */
  readonly #open: Set<number>
  /** Intents whose outcome was given up: they get the outcome `unknown` once the disk is back. */
  #unclosed: Place[] = []
  /** Written, or being written, but not known to be durable. */
  #unsynced: Entry[] = []
  readonly #outage: Outage
  readonly #counts = { records: 0, syncs: 0 }
  readonly #losses = new Losses()
  #running = false
  #scheduled = false
  /** Asks for a segment to be begun though nothing waits. */
  #probe = false
  #syncDue = false
  #lazySync: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(
    options: CommitterOptions,
    parts: { readonly series: SegmentSeries; readonly open: Set<number> },
  ) {
    this.#options = options
    this.#series = parts.series
    this.#open = parts.open
    this.#outage = new Outage(options.onAlarm)
  }

  append(entry: Entry): void {
    this.#queue.push(entry)
    if (entry.mode === 'best-effort') resolve(entry)
    else this.#watch ??= this.#lookAfter(this.#options.deadlineMs)
    this.#schedule()
  }

  /** Appends an outcome that no caller waits for. */
  note(intent: Place, record: LedgerRecord): void {
    const closed = new Date(this.#options.now()).toISOString()
    this.#push('outcome', { closed, ...record }, intent)
  }

  #push(kind: 'outcome' | 'event', record: LedgerRecord, intent?: Place): void {
    const { mode, recovered } = this.#options
    const { writer } = recovered
    this.#queue.push(unawaited(kind, record, { mode, writer, intent }))
    this.#schedule()
  }

  /** Closes an intent as of unknown fate, once the disk takes something: its outcome was given up. */
  leaveOpen(intent: Place): void {
    this.#unclosed.push(intent)
  }

  /** Counts a record that was accepted without being kept. */
  lose(): void {
    this.#losses.add()
  }

  waiting(): number {
    return this.#queue.length()
  }

  durable(): ChainEnd {
    return this.#series.durable()
  }

  stats(): { records: number; syncs: number; pending: number; lost: number } {
    const pending = this.#queue.length() + this.#unsynced.length
    return { ...this.#counts, pending, lost: this.#losses.count() }
  }

  /** Asking also tries the disk again, so that a gateway that gets no calls while it is not ready recovers. */
  ready(): { readonly ok: boolean; readonly why?: string } {
    const { why } = this.#outage
    if (why === undefined) return { ok: true }
    this.#probe = true
    this.#schedule()
    return { ok: false, why }
  }

  /** Begins the first segment, if there is none, and waits for what was noted so far. */
  start(): Promise<void> {
    this.#probe = this.#series.full()
    return this.#settle()
  }

  /** Waits until everything is durable, or the deadline has passed. */
  async #settle(): Promise<void> {
    const end = performance.now() + this.#options.deadlineMs
    do {
      this.#syncDue = true
      this.#schedule()
      await new Promise((done) => setTimeout(done, 1))
    } while ((this.#running || this.#hasWork()) && performance.now() < end)
  }

  async close(): Promise<void> {
    await this.#settle()
    for (const entry of this.#pending()) {
      if (!entry.settled) refuse(entry, 'the log was closed before the disk took the record')
      else if (!entry.refused) this.lose()
      entry.learn?.(false)
    }
    for (const timer of [this.#lazySync, this.#retry, this.#watch]) clearTimeout(timer)
    // A disk that hangs keeps its handle: closing it would hang as well.
    if (!this.#running) await this.#series.close()
  }

  #pending(): readonly Entry[] {
    return [...this.#unsynced, ...this.#queue.entries()]
  }

  #hasWork(): boolean {
    return this.#queue.length() > 0 || this.#probe || (this.#syncDue && this.#unsynced.length > 0)
  }

  /** At the end of this turn of the event loop, so that all callers of the turn share one sync. */
  #schedule(): void {
    if (this.#scheduled || this.#running || this.#retry !== undefined) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#running = true
    try {
      while (this.#hasWork()) {
        if (this.#shouldGather()) await sleep(GATHER_MS)
        await this.#commit()
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#running = false
    }
  }

  #shouldGather(): boolean {
    return this.#open.size >= MANY && this.#queue.length() < ENOUGH && !this.#syncDue
  }

  async #commit(): Promise<void> {
    if (this.#series.full()) {
      await this.#sync()
      await this.#series.begin()
    }
    this.#probe = false
    const batch = this.#queue.take()
    const isStrict = batch.some(({ mode }) => mode === 'strict')
    if (batch.length > 0) {
      // What was written before and not synced is not made durable by a write that syncs itself.
      const syncing = isStrict && this.#unsynced.length === 0 ? 'each' : 'asked'
      this.#unsynced.push(...batch)
      await this.#series.write(batch, syncing)
      for (const entry of batch) if (entry.mode !== 'strict') resolve(entry)
    }
    if (isStrict || this.#syncDue) await this.#sync()
    else if (this.#unsynced.length > 0)
      this.#lazySync ??= setTimeout(() => this.#syncSoon(), LAZY_SYNC_MS)
    this.#mend()
  }

  #syncSoon(): void {
    this.#lazySync = undefined
    this.#syncDue = true
    this.#schedule()
  }

  async #sync(): Promise<void> {
    this.#syncDue = false
    if (this.#unsynced.length === 0) return
    await this.#series.sync()
    this.#counts.syncs += 1
    const kept = this.#unsynced
    this.#unsynced = []
    for (const entry of kept) this.#kept(entry)
  }

  #kept(entry: Entry): void {
    this.#counts.records += 1
    if (entry.kind === 'intent') this.#open.add(entry.place.n)
    if (entry.intent !== undefined) this.#open.delete(entry.intent.n)
    resolve(entry)
    entry.learn?.(true)
    // The caller gave up before the disk answered: the call did not go on, and its receipt must say so.
    if (entry.refused && entry.kind === 'intent') this.note(entry.place, GIVEN_UP)
  }

  /** A record was given up before it was written. */
  #dropped(entry: Entry): void {
    entry.learn?.(false)
    if (!entry.refused) this.lose()
    else if (entry.intent !== undefined) this.leaveOpen(entry.intent)
  }

  /** An error ends the segment; what it took down waits for the next one. */
  #fail(error: unknown): void {
    this.#queue.putBack(this.#unsynced)
    this.#unsynced = []
    this.#series.abandon()
    const { since, why } = this.#outage.begin(error)
    // In a long outage nobody waits for the whole deadline: each try answers those that came before it.
    if (performance.now() - since >= this.#options.deadlineMs) {
      for (const entry of this.#pending()) refuse(entry, why)
    }
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      if (this.#hasWork()) this.#schedule()
    }, RETRY_MS)
  }

  #refuseDue(): void {
    this.#watch = undefined
    const now = performance.now()
    const unsettled = this.#pending().filter((entry) => !entry.settled)
    const due = unsettled.filter((entry) => entry.due <= now)
    if (due.length > 0) {
      const { why } = this.#outage.begin(
        new Error(`the disk did not answer within ${this.#options.deadlineMs} ms`),
      )
      const underway = new Set(this.#unsynced)
      for (const entry of due) (underway.has(entry) ? refuseUnderway : refuse)(entry, why)
    }
    const next = unsettled.find((entry) => !entry.settled)
    if (next !== undefined) this.#watch = this.#lookAfter(Math.max(1, next.due - now))
  }

  /** After a standstill of the process, what the disk has answered meanwhile is heard first. */
  #lookAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#refuseDue()), ms)
  }

  /** The disk took something: what was given up before is closed, what was lost is told, and an outage is over. */
  #mend(): void {
    const unclosed = this.#unclosed
    this.#unclosed = []
    for (const intent of unclosed) this.note(intent, { outcome: 'unknown', ran: 'unknown' })
    this.#tellLost()
    this.#outage.end()
  }

  /** The log itself says that it is not whole. */
  #tellLost(): void {
    const count = this.#losses.untold()
    if (count === 0) return
    this.#options.onAlarm({ kind: 'lost', count })
    const at = new Date(this.#options.now()).toISOString()
    const { writer: subject } = this.#options.recovered
    this.#push('event', { at, event: 'records_lost', subject, actor: 'gateway', data: { count } })
  }
}
