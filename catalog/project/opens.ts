import type { Frame } from './frames.ts'
import type { OpenContainer } from './output.ts'
import { BYTES, END, PASS, WALK, type Visit } from './visitor.ts'

/** How a value is written: copied whole, as a container piece by piece, or not at all. */
export interface Written {
  readonly from: number
  readonly isCopied: boolean
  readonly container: OpenContainer | undefined
}

/** A value that was begun, and what is to be done at its end. */
export interface Open extends Written {
  /** Of a member that is written in pieces. */
  readonly name: string
  readonly isRow: boolean
  readonly isCaptured: boolean
  readonly frame: Frame | undefined
}

/** How a value that does not stay is written. */
export const UNWRITTEN: Written = Object.freeze({ from: 0, isCopied: false, container: undefined })

/** A value that was begun, so and with what else is known of it. */
export function openOf(
  { from, isCopied, container }: Written,
  how: Omit<Open, keyof Written>,
): Open {
  const { name, isRow, isCaptured, frame } = how
  return { from, isCopied, container, name, isRow, isCaptured, frame }
}

/** What is wanted of a value whose end matters. */
export function visitOf(walks: boolean, takes: boolean): Visit {
  return END | (walks ? WALK : PASS) | (takes ? BYTES : PASS)
}
