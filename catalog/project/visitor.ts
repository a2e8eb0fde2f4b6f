import type { SpelledName } from './names.ts'

/** What a visitor wants of a value: nothing, its parts, its bytes, its end; those that want any hear the end. */
export const PASS = 0
export const WALK = 1
export const BYTES = 2
export const END = 4
export type Visit = number

/** Hears of the values that it walks into. What it passes by is validated and nothing more. */
export interface Visitor {
  /** The name of the member whose value begins next; good until that `start` returns. */
  name(name: SpelledName): void
  /** A value begins; `first` is its first byte. */
  start(first: number): Visit
  /** The value of the last open `start` that did not pass has ended. */
  end(): void
  /** Bytes of the values that asked for them, in order, each byte once. */
  bytes(chunk: Uint8Array, from: number, to: number): void
}
