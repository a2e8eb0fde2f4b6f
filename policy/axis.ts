import type { Ask } from './ask.ts'
import type { CedarClause } from './cedar/clause.ts'

export type Op = '=' | '<' | '<=' | '>=' | 'in' | 'prefix' | 'glob'

/** A caveat line taken apart at its separators; the value is not yet read. */
export interface Head {
  readonly op: Op
  /** The text after the op, to the end of the line. */
  readonly value: string
  /** What an `arg` line speaks of, `TOOL.path`; empty for every other axis. */
  readonly subject: string
}

/** Why a line does not let a call through. */
export interface Refusal {
  readonly code: string
  readonly got: string
  readonly repair: string
}

/** What one line means, compiled twice from what was parsed: for us and for Cedar. */
export interface Clause {
  /** The line in plain words; made when asked for, since a decision needs none. */
  readonly words: string
  /** The native predicate: undefined where the line holds. */
  refuses(ask: Ask): Refusal | undefined
  /** The same for Cedar, made without calling the predicate; absent where the line always holds. */
  readonly cedar?: CedarClause
  /** What the token as a whole must know of the line. */
  readonly facts?: ClauseFacts
}

/** Facts that are read once, when the token is verified. */
interface ClauseFacts {
  /** Milliseconds since the epoch. */
  readonly expires?: number
  readonly uses?: number
  readonly task?: string
  readonly keysOf?: string
  /** False: no line may follow. */
  readonly delegable?: boolean
}

/** One row of the table that the parser, the Cedar compiler, the docs and the console's form read. */
export interface Axis {
  readonly name: string
  readonly ops: readonly Op[]
  /** The grammar of the value, as a hint for people. */
  readonly value: string
  /** When a line of this axis holds. */
  readonly says: string
  /** A whole line. */
  readonly example: string
  /** Reads the value; a text is the reason why it does not parse. */
  read(head: Head): Clause | string
}
