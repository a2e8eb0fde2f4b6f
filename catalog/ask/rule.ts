import type { Draft } from './draft.ts'
import type { KnownNames } from './names.ts'
import type { Token } from './tokens.ts'

/** A question that is being read. */
export interface Reading {
  readonly tokens: readonly Token[]
  readonly draft: Draft
  readonly known: KnownNames
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Takes what it understands at a place; gives how many words that were, 0 for none. */
export type Rule = (reading: Reading, at: number) => number
