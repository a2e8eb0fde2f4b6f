import { utf8 } from '../text.ts'
import { createAggregator, type Aggregator } from '../want/aggregate.ts'
import { passes, type Lookup } from '../want/filter.ts'
import { compareKeys, orderKeys } from '../want/order.ts'
import type { Projection } from './projection.ts'

/** What becomes of a row: written at once, kept until all are known, or dropped. */
type Verdict = 'write' | 'hold' | 'drop'

interface HeldRow {
  readonly keys: readonly unknown[]
  readonly bytes: Uint8Array
}

/** Estimate of what a kept value takes besides its bytes. */
const VALUE_COST = 16

/** Filter, order, page and figures: decides row by row. */
export class Rows {
  readonly #projection: Projection
  readonly #aggregator: Aggregator | undefined
  readonly #from: number
  readonly #end: number
  readonly #kept: HeldRow[] = []
  #keys: readonly unknown[] = []
  #passed = 0
  #bytesHeld = 0

  constructor(projection: Projection) {
    const { window, want } = projection
    const { aggregate, shape } = want.want ?? {}
    const isFigures = aggregate !== undefined || shape === 'count'
    this.#projection = projection
    this.#aggregator = isFigures ? createAggregator(aggregate ?? { count: true }) : undefined
    this.#from = window?.offset ?? 0
    this.#end = window === undefined ? Number.POSITIVE_INFINITY : window.offset + window.limit
  }

  /** Judges the row that `lookup` reads. */
  judge(lookup: Lookup): Verdict {
    const { order, want } = this.#projection
    if (want.where !== undefined && !passes(want.where, lookup)) return 'drop'
    const at = this.#passed++
    if (this.#aggregator !== undefined) {
      this.#aggregator.add(lookup)
      return 'drop'
    }
    if (order.length === 0) return this.#isOnPage(at) ? 'write' : 'drop'
    this.#keys = orderKeys(order, lookup)
    return 'hold'
  }

  /** Keeps the bytes of the row that was just judged `hold`. */
  hold(bytes: Uint8Array): void {
    this.#kept.push({ keys: this.#keys, bytes })
    this.#bytesHeld += bytes.length + VALUE_COST * (this.#keys.length + 1)
  }

  /** Bytes and values that are held, in bytes. */
  held(): number {
    return this.#bytesHeld + (this.#aggregator?.held() ?? 0) * VALUE_COST
  }

  /** Once all rows are judged: those of the page, in order. */
  sorted(): readonly Uint8Array[] {
    const { order } = this.#projection
    // Sorting is stable: rows that are equal stay in the order of the document.
    return this.#kept
      .toSorted((one, two) => compareKeys(order, one.keys, two.keys))
      .filter((_, at) => this.#isOnPage(at))
      .map((row) => row.bytes)
  }

  /** Whether rows follow the page. */
  more(): boolean {
    return this.#passed > this.#end
  }

  /** The figures over all rows that passed, as JSON; nothing where none are wanted. */
  figures(): Uint8Array {
    return utf8(JSON.stringify(this.#aggregator?.result()))
  }

  #isOnPage(at: number): boolean {
    return at >= this.#from && at < this.#end
  }
}
