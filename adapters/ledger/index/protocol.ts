import type { ViewQuery } from '../../../catalog/index.ts'
import type { Head, ReceiptQuery } from '../port.ts'

/** Where the log lies, and where its index. */
export interface IndexFiles {
  /** The log's folder. */
  readonly folder: string
  /** The SQLite file; it can be deleted at any time while nobody has it open, and is made again. */
  readonly file: string
}

/** What the gateway's thread asks of the index's thread. */
export type IndexCall =
  | { readonly name: 'list'; readonly query: ReceiptQuery }
  | { readonly name: 'get'; readonly id: string }
  | { readonly name: 'counts'; readonly where: { readonly task?: string; readonly grant?: string } }
  | {
      readonly name: 'events'
      readonly query: { readonly limit?: number; readonly after?: number }
    }
  | { readonly name: 'feed'; readonly query: { readonly after: number; readonly limit: number } }
  | { readonly name: 'view'; readonly query: ViewQuery }
  | { readonly name: 'erasures'; readonly hashes: readonly string[] }
  | { readonly name: 'last' }
  | { readonly name: 'advance'; readonly durable: Head | undefined }
  | { readonly name: 'close' }

/** What a thread answers to the call with the ticket. */
export interface ThreadAnswer {
  readonly ticket: number
  readonly result:
    | { readonly ok: true; readonly value: unknown }
    | { readonly ok: false; readonly error: unknown }
}
