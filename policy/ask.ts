/** The kinds of door that a `ways` line tells apart; finer doors count as one of these. */
export const WAYS = ['link', 'rest', 'mcp', 'chat', 'proof', 'proxy', 'mount', 'batch'] as const

export type Way = (typeof WAYS)[number]

/**
 * What is known of values of one meaning in a call (its paths, its models).
 * - `none`: the row is known to bear no such thing; a line about it holds.
 * - `unknown`: nothing is known of the row; a line about it refuses.
 * - `values`: the row bears it, and these are what the call carries. An empty list means that the
 *   call left it to the upstream's default, which nobody has judged: a line about it refuses.
 */
export type Bearing =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'values'; readonly values: readonly unknown[] }

/**
 * One call as the lines of a token may look at it: the resolved tool and the final arguments, after
 * aliases, defaults and renames. The clock is part of the question, so that judging is pure.
 */
export interface Ask {
  /** What the permit will be good for, such as the request's method and URL; no line reads it. */
  readonly target: string
  /** The resolved name of the tool. */
  readonly tool: string
  readonly way: Way
  /** The gateway's clock in milliseconds since the epoch. */
  readonly now: number
  /** The task that the call itself names, if it names one. */
  readonly task?: string
  /** The signed-in person's id. */
  readonly person?: string
  readonly args: Readonly<Record<string, unknown>>
  readonly paths: Bearing
  readonly model: Bearing
  /** True where the row runs code and the runner does not confine it to the token's area. */
  readonly runsCode: boolean
}
