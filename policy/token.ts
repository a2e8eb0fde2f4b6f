import type { Caveat } from './caveat.ts'
import type { UseLimit } from './uses.ts'

declare const verified: unique symbol

/** A token whose chain is right and whose every line parses. Only `verifyToken` makes one. */
export interface VerifiedToken extends TokenContent {
  readonly [verified]: true
}

/** What a token holds, and what its lines say together. */
export interface TokenContent {
  readonly id: string
  readonly lines: readonly string[]
  readonly caveats: readonly Caveat[]
  /** The public name of every place in the chain: of the id, then of each line. */
  readonly links: readonly string[]
  /** The last of the links. */
  readonly link: string
  /** The deepest task. */
  readonly task?: string
  /** The earliest expiry, in milliseconds since the epoch. */
  readonly expires?: number
  /** The `uses` lines, each at its own link. */
  readonly uses: readonly UseLimit[]
  /** Whose upstream keys are used, where the first line says so. */
  readonly keysOf?: string
  /** False after `delegate = no`. */
  readonly delegable: boolean
}
