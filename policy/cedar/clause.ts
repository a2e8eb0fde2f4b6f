import type { Ask } from '../ask.ts'

/** A number for Cedar: the text of a decimal with at most four places. */
interface Decimal {
  readonly decimal: string
}

/** What may stand in the context of a request to Cedar: nothing else reaches the engine. */
export type Scalar = string | boolean | number | Decimal

/** One attribute of the context, as a line reads it from the call. */
export interface Attribute {
  /** Tells attributes apart: the same key must always read the same. */
  readonly key: string
  /** True for the clock: a verdict is remembered for a span of it, not for a value. */
  readonly timed?: true
  /**
   * The values, one request to Cedar each; undefined stands for a value that cannot hold, and the
   * attribute is left out of its request. No value at all leaves it out of every request.
   */
  read(ask: Ask): readonly (Scalar | undefined)[]
}

/** One line for Cedar. */
export interface CedarClause {
  readonly attributes: readonly Attribute[]
  /** The condition; `at` gives the expression for an attribute’s key, `has` its test. */
  condition(names: AttributeNames): string
}

export interface AttributeNames {
  readonly at: (key: string) => string
  readonly has: (key: string) => string
}
