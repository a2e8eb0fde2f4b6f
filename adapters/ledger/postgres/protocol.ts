import type { Position } from '../index/follow.ts'
import type { Head } from '../port.ts'

/** What the shipper asks of its thread, which reads the log. */
export type ReaderCall =
  /** The positions of all writers in the folder, older writers first: those that are given, or the beginning. */
  | { readonly name: 'writers'; readonly positions: readonly Position[] }
  /** The next batch of the first writer that has one. */
  | {
      readonly name: 'next'
      readonly positions: readonly Position[]
      readonly durable: Head | undefined
    }

export interface ReaderData {
  /** The log's folder. */
  readonly folder: string
}
