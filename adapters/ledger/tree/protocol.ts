import type { ExchangeTimes, Head } from '../port.ts'
import type { TreeDamage } from './fault.ts'
import type { FoundRecord } from './lookup.ts'
import type { TreeHead } from './writer-tree.ts'

/** What the gateway's thread asks of the tree's thread. */
export type TreeCall =
  /** Grows the tree to the head. `signed` is what a tree that is opened for it has to agree with. */
  | { readonly name: 'advance'; readonly head: Head; readonly signed: TreeHead | undefined }
  | { readonly name: 'head'; readonly size: number }
  | { readonly name: 'inclusion'; readonly sought: ExchangeTimes; readonly size: number }
  | { readonly name: 'consistency'; readonly former: number; readonly size: number }

/** A record with the proof that it is in the tree. */
export interface ProvenRecord extends FoundRecord {
  readonly path: readonly Uint8Array[]
}

/** The records of an exchange that were found. */
export interface ProvenExchange {
  readonly records: readonly ProvenRecord[]
  /** Whether these are all that it has. */
  readonly isWhole: boolean
}

/** Of an error its text alone would come over: damage is an answer. */
export interface TreeAnswer {
  readonly value?: unknown
  readonly damage?: TreeDamage
}
