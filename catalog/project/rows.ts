import { utf8 } from '../text.ts'
import { createAggregator } from '../want/aggregate.ts'
import { passes, type Lookup } from '../want/filter.ts'
import { compareKeys, orderKeys } from '../want/order.ts'
import type { Projection } from './projection.ts'

/** What becomes of a row: written at once, kept until all are known, or dropped. */
type Verdict = 'write' | 'hold' | 'drop'

/** Filter, order, page and figures: decides row by row. */
export interface Rows {
  /** Judges the row that `lookup` reads. */
  judge(lookup: Lookup): Verdict
  /** Keeps the bytes of the row that was just judged `hold`. */
  hold(bytes: Uint8Array): void
  /** Bytes and values that are held, in bytes. */
  held(): number
  /** Once all rows are judged: those of the page, in order. */
  sorted(): readonly Uint8Array[]
  /** Whether rows follow the page. */
  more(): boolean
  /** The figures over all rows that passed, as JSON. */
  figures(): Uint8Array
}

interface HeldRow {
  readonly keys: readonly unknown[]
  readonly bytes: Uint8Array
}

/** Estimate of what a kept value takes besides its bytes. */
const VALUE_COST = 16

export function createRows(projection: Projection): Rows {
  const { order, window } = projection
  const { where = {}, want = {} } = projection.want
  const aggregator = createAggregator(want.aggregate ?? { count: true })
  const isFigures = want.aggregate !== undefined || want.shape === 'count'
  const kept: HeldRow[] = []
  let keys: readonly unknown[] = []
  let passed = 0
  let bytesHeld = 0

  const end = window === undefined ? Number.POSITIVE_INFINITY : window.offset + window.limit
  const isOnPage = (at: number) => at >= (window?.offset ?? 0) && at < end

  return {
    judge(lookup) {
      if (!passes(where, lookup)) return 'drop'
      const at = passed++
      if (isFigures) {
        aggregator.add(lookup)
        return 'drop'
      }
      if (order.length === 0) return isOnPage(at) ? 'write' : 'drop'
      keys = orderKeys(order, lookup)
      return 'hold'
    },
    hold(bytes) {
      kept.push({ keys, bytes })
      bytesHeld += bytes.length + VALUE_COST * (keys.length + 1)
    },
    held: () => bytesHeld + (isFigures ? aggregator.held() * VALUE_COST : 0),
    // Sorting is stable: rows that are equal stay in the order of the document.
    sorted: () =>
      kept
        .toSorted((one, two) => compareKeys(order, one.keys, two.keys))
        .filter((_, at) => isOnPage(at))
        .map((row) => row.bytes),
    more: () => passed > end,
    figures: () => utf8(JSON.stringify(aggregator.result())),
  }
}
