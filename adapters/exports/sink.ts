import type { FeedItem } from '../ledger/port.ts'

/** What is delivered at once. */
export interface Batch {
  readonly items: readonly [FeedItem, ...FeedItem[]]
  /** Names the batch: the same at each try, also after a crash. */
  readonly key: string
}

/** How much makes a batch. */
export interface Bounds {
  readonly items: number
  /** Characters of JSON; the item that reaches it is the batch's last. */
  readonly chars: number
  /** How long the first item may wait for others, in ms. */
  readonly lingerMs: number
}

/** What a receiver said beyond "I have it". */
export interface Acknowledged {
  /** Items that it will not keep, and does not want again. */
  readonly rejected: number
}

/** A place that items go to. */
export interface Sink {
  readonly bounds: Bounds
  readonly deadlineMs: number
  /** Resolves when the receiver has the batch; rejects with a `DeliveryFault` or another error where it must come again. */
  deliver(batch: Batch, signal: AbortSignal): Promise<Acknowledged>
  close(): void
}

/** A delivery that has to be tried again. */
export class DeliveryFault extends Error {
  override readonly name = 'DeliveryFault'
  /** When the receiver wants it again, in ms from now. */
  readonly retryMs: number | undefined

  constructor(message: string, retryMs?: number) {
    super(message)
    this.retryMs = retryMs
  }
}

export const ALL_TAKEN: Acknowledged = { rejected: 0 }
