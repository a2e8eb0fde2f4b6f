/** Something about the log that an operator must hear of. */
export type LedgerAlarm =
  /** A crash broke the last write; its bytes were cut off. Nothing that was promised is lost. */
  | { readonly kind: 'torn_tail'; readonly file: string; readonly bytes: number }
  /** The log is not what was written. The file stays as it is; a new writer goes on beside it. */
  | {
      readonly kind: 'damage'
      readonly writer: string
      readonly file: string
      /** Number of the record that does not fit (0: the segment's header). */
      readonly record: number
      readonly offset: number
      readonly what: string
    }
  /** Records that were accepted without being durable could not be kept; the log has an event that says so. */
  | { readonly kind: 'lost'; readonly count: number }
  /** Nothing can be recorded at present; told once for an outage. */
  | { readonly kind: 'unavailable'; readonly error: unknown }
  /** Records are durable again. */
  | { readonly kind: 'available' }
