import type { LedgerFeed } from '../ledger/port.ts'
import { AT_THE_START, type Cursor, type CursorFile } from './cursor.ts'
import { batchOf, gather } from './gather.ts'
import { DeliveryFault, type Acknowledged, type Batch, type Sink } from './sink.ts'

/** Waits between tries double from the one to the other, in ms. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
/** Longest wait that a receiver can ask for. */
const LONGEST_ASKED_MS = 600_000
/** How long a delivery may go on when the gateway stops. */
const LAST_MS = 2000

export interface PumpOptions {
  readonly feed: LedgerFeed
  readonly sink: Sink
  readonly cursor: CursorFile
  /** Told when deliveries begin to fail, and why, and with undefined when they succeed again. */
  readonly onState: (why: string | undefined) => void
  /** Told where the cursor is none of this ledger, so that all is delivered again. */
  readonly onRestart: () => void
}

/** Brings the feed to one sink, batch after batch. */
export interface Pump {
  readonly position: () => number
  readonly counts: () => {
    readonly delivered: number
    readonly failures: number
    readonly rejected: number
  }
  /** Why the last try failed. */
  readonly error: () => string | undefined
  stop(): Promise<void>
}

/**
 * Begins where the cursor stands. A batch is noted before it is sent, and the cursor moves when it was acknowledged: what
 * a crash interrupts comes again as the same batch under the same key.
 */
export function startPump({ feed, sink, cursor, onState, onRestart }: PumpOptions): Pump {
  const stopping = new AbortController()
  const cutting = new AbortController()
  const counts = { delivered: 0, failures: 0, rejected: 0 }
  let at = cursor.read()
  let error: string | undefined

  const say = (why: string | undefined): void => {
    if ((why === undefined) !== (error === undefined)) onState(why)
    error = why
  }

  const deliver = async (batch: Batch): Promise<Acknowledged | undefined> => {
    for (let tries = 0; !stopping.signal.aborted; tries += 1) {
      try {
        return await sink.deliver(batch, AbortSignal.any([cutting.signal, deadline(sink)]))
      } catch (fault) {
        counts.failures += 1
        say(fault instanceof Error ? fault.message : String(fault))
        await sleep(waitFor(fault, tries), stopping.signal)
      }
    }
    return undefined
  }

  const next = async (): Promise<void> => {
    if (at.until === null) await enough(feed, at.position, { sink, stop: stopping.signal })
    if (stopping.signal.aborted) return
    const bounds =
      at.until === null ? sink.bounds : { items: at.until - at.position, chars: Infinity }
    const batch = batchOf(await gather(feed, at.position, bounds))
    const last = batch?.items.at(-1)
    if (batch === undefined || last === undefined)
      throw new Error(`the feed has nothing behind ${at.position}`)
    at = { ...at, until: last.position }
    await cursor.write(at, 'durable')
    const acknowledged = await deliver(batch)
    if (acknowledged === undefined) return
    counts.delivered += batch.items.length
    counts.rejected += acknowledged.rejected
    at = { position: last.position, id: last.id, until: null }
    await cursor.write(at, 'soon')
    say(undefined)
  }

  const run = async (): Promise<void> => {
    let tries = 0
    let checked = false
    while (!stopping.signal.aborted) {
      try {
        if (!checked && !(await isOurs(feed, at))) {
          onRestart()
          at = AT_THE_START
        }
        checked = true
        await next()
        tries = 0
      } catch (fault) {
        // The feed or the cursor's disk; a sink's own faults were caught above.
        say(fault instanceof Error ? fault.message : String(fault))
        await sleep(waitFor(fault, tries++), stopping.signal)
      }
    }
  }

  const running = run()
  return {
    position: () => at.position,
    counts: () => counts,
    error: () => error,
    async stop() {
      stopping.abort()
      const timer = setTimeout(() => cutting.abort(), LAST_MS)
      await running
      clearTimeout(timer)
      sink.close()
    },
  }
}

function deadline({ deadlineMs }: Sink): AbortSignal {
  return AbortSignal.timeout(deadlineMs)
}

/** Whether the feed has the cursor's item where the cursor says. */
async function isOurs(feed: LedgerFeed, { position, id, until }: Cursor): Promise<boolean> {
  if ((until ?? position) > feed.end()) return false
  if (position === 0) return true
  const [item] = await feed.read({ after: position - 1, limit: 1 })
  return item?.id === id
}

/** Waits for items: until there are as many as make a batch, or the first one has waited long enough. */
async function enough(
  feed: LedgerFeed,
  position: number,
  { sink, stop }: { readonly sink: Sink; readonly stop: AbortSignal },
): Promise<void> {
  const { items, lingerMs } = sink.bounds
  let due = Infinity
  while (!stop.aborted) {
    const waiting = feed.end() - position
    if (waiting > 0) due = Math.min(due, performance.now() + lingerMs)
    if (waiting >= items || performance.now() >= due) return
    await growth(feed, due - performance.now(), stop)
  }
}

function growth(feed: LedgerFeed, ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stopListening()
      stop.removeEventListener('abort', done)
      resolve()
    }
    const timer = ms === Infinity ? undefined : setTimeout(done, ms)
    const stopListening = feed.onGrowth(done)
    stop.addEventListener('abort', done)
    if (stop.aborted) done()
  })
}

/** Full jitter over the upper half: receivers that came back are not met by all senders at once. */
function waitFor(fault: unknown, tries: number): number {
  const asked = fault instanceof DeliveryFault ? fault.retryMs : undefined
  const own = Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries, 20), LONGEST_WAIT_MS)
  return Math.max(own * (0.5 + Math.random() / 2), Math.min(asked ?? 0, LONGEST_ASKED_MS))
}

function sleep(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    stop.addEventListener('abort', done)
    if (stop.aborted) done()
  })
}
