/** One `uses` line: how many calls its link, and every token narrowed from it, may make together. */
export interface UseLimit {
  readonly link: string
  readonly limit: number
}

/** One use taken at each of these links. */
export interface Reservation {
  readonly links: readonly string[]
}

/** A limit that is used up. */
export interface SpentLimit extends UseLimit {
  readonly used: number
}

export type ReserveAnswer =
  | { readonly ok: true; readonly reservation: Reservation }
  | { readonly ok: false; readonly spent: readonly SpentLimit[] }

/** The counters of `uses` lines, kept by link. Implemented outside of this folder. */
export interface UseCounters {
  /**
   * Takes one use at every link, or none at any: all limits of a chain are one atomic step.
   * `expires` (ms since the epoch) says from when on the counters may be forgotten.
   */
  reserve(lines: readonly UseLimit[], expires: number | undefined): Promise<ReserveAnswer>
  /** Gives back the uses of a call that is proven never to have been sent. */
  giveBack(reservation: Reservation): Promise<void>
  /** Uses taken so far; a link that was never used is left out. */
  read(links: readonly string[]): Promise<ReadonlyMap<string, number>>
}
