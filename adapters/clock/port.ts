/** Where time comes from. Policy and stages never read a clock of their own, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}
