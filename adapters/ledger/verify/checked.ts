import type { Head } from '../port.ts'

/** A writer's segments in their order. */
export interface WriterFiles {
  readonly segments: readonly string[]
  /** Whether the first one must be the writer's first. */
  readonly whole: boolean
}

/** What was found of a writer. */
export interface CheckedWriter {
  readonly head: Head
  /** How many records, by their numbers, are covered by a checkpoint that fits. */
  readonly signed: number
  readonly openIntents: readonly number[]
  readonly torn: boolean
  /** Whole lines, headers included. */
  readonly lines: number
  /** Whether the chain itself is whole. */
  readonly isWhole: boolean
  /** The root at a size that was asked for; undefined beyond the end. */
  root(size: number): string | undefined
}
