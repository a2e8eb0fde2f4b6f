import type { Entry } from './entry.ts'

/** How much one batch may hold: so many records, or so many characters of them. */
const BATCH_RECORDS = 256
const BATCH_CHARS = 1024 * 1024

/** The most records that wait; beyond it the log is overloaded and says so at once. */
export const MAX_WAITING = 10_000

/** `place.n` of a record that was given up before it was written. */
export const NEVER_WRITTEN = -1

/** Records in the order in which they will be written. */
export interface AppendQueue {
  length(): number
  push(entry: Entry): void
  /** Puts back what was taken and could not be made durable: it will get the same numbers. */
  putBack(entries: readonly Entry[]): void
  /** The next batch, without what was given up meanwhile. */
  take(): Entry[]
  /** All that waits, oldest first. */
  entries(): readonly Entry[]
}

/** `onDropped` hears of each record that was given up before it was written. */
export function createAppendQueue(onDropped: (entry: Entry) => void): AppendQueue {
  let waiting: Entry[] = []
  const drop = (entry: Entry) => {
    entry.place.n = NEVER_WRITTEN
    onDropped(entry)
  }
  return {
    length: () => waiting.length,
    push: (entry) => void waiting.push(entry),
    putBack: (entries) => {
      waiting = [...entries, ...waiting]
    },
    take() {
      const batch: Entry[] = []
      let chars = 0
      let taken = 0
      for (const entry of waiting) {
        if (
          batch.length === BATCH_RECORDS ||
          (chars > 0 && chars + entry.body.length > BATCH_CHARS)
        )
          break
        taken += 1
        if (entry.refused || entry.intent?.n === NEVER_WRITTEN) drop(entry)
        else {
          chars += entry.body.length
          batch.push(entry)
        }
      }
      waiting.splice(0, taken)
      return batch
    },
    entries: () => waiting,
  }
}
