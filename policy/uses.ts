/** One `uses` line: how many calls its link, and every token narrowed from it, may make together. */
export interface UseLimit {
  readonly link: string
  readonly limit: number
  /**
   * From then on (ms since the epoch) no token that shares this counter is valid, so that it may be forgotten: the
   * earliest of the `expires` lines before this one. Never that of the whole token: a holder would narrow to a
   * second, spend its uses, wait, and find the wider count at zero.
   */
  readonly expires?: number
}

/** One use taken at each of these links. */
export interface Reservation {
  readonly links: readonly string[]
}

/** A limit that is used up. */
export interface SpentLimit extends Omit<UseLimit, 'expires'> {
  readonly used: number
}

export type ReserveAnswer =
  | { readonly ok: true; readonly reservation: Reservation }
  | { readonly ok: false; readonly spent: readonly SpentLimit[] }

/** The counters of `uses` lines, kept by link. Implemented outside of this folder. */
export interface UseCounters {
  /** Takes one use at every link, or none at any: all limits of a chain are one atomic step. */
  reserve(lines: readonly UseLimit[]): Promise<ReserveAnswer>
  /** Gives back the uses of a call that is proven never to have been sent. */
  giveBack(reservation: Reservation): Promise<void>
  /** Uses taken so far; a link that was never used is left out. */
  read(links: readonly string[]): Promise<ReadonlyMap<string, number>>
}
