/** What was done to a log. */
export type FaultKind =
  /** A line is no hash and record, or a segment has no header. */
  | 'malformed'
  /** A record or a hash was changed where it stands. */
  | 'edited'
  /** Records were taken out; what follows is still there. */
  | 'dropped'
  /** A record, or a segment, that does not belong here. */
  | 'inserted'
  /** All is there, in another order. */
  | 'reordered'
  /** The end was cut off: a head that was signed or seen lies behind it. */
  | 'truncated'
  /** The chain is whole, and not the one that was signed or seen. */
  | 'rewritten'
  /** Two heads were signed that cannot both be of one log. */
  | 'forked'
  /** A head bears no signature of the given key. */
  | 'resigned'
  /** No head of this log was signed with the given key. */
  | 'unsigned'
  /** A proof does not lead to the head that it names. */
  | 'unproven'

/** A place where the files are not a whole chain, or not the one that they should be. */
export interface Fault {
  kind: FaultKind
  readonly file: string
  /** Number of the record that does not fit: behind what was dropped, where another was due; 0: a segment's header. */
  record: number
  /** Of the line's first byte. */
  readonly offset: number
  readonly what: string
}

export type Report = (fault: Fault) => void
