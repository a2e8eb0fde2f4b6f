/** How durable a record is before its caller goes on (named as in Kubernetes audit). */
export type LedgerMode = 'strict' | 'batch' | 'best-effort'

/** A JSON object that is safe to keep: every secret was redacted before it came here. */
export type LedgerRecord = Readonly<Record<string, unknown>>

/** Where a record stands in its writer's chain. */
export interface Place {
  readonly writer: string
  /** Number of the record within the writer, without gaps. */
  readonly n: number
}

/** The hash of the last record of a writer. */
export interface Head extends Place {
  /** Lower-case hex of the chain hash. */
  readonly hash: string
}

/**
 * The append-only log. Every promise resolves once its record is durable (fdatasync), in the mode `strict`;
 * it rejects with `LedgerUnavailable` where the record cannot be made durable within the deadline.
 */
export interface Ledger {
  readonly mode: LedgerMode
  /**
   * Opens an exchange. `record` holds the receipt's fields that are known before the upstream is touched; `json` is
   * its text, where the caller has made that already.
   */
  intent(record: LedgerRecord, json?: string): Promise<Place>
  /** Closes the exchange that `intent` opened. */
  outcome(intent: Place, record: LedgerRecord, json?: string): Promise<Place>
  /** A refusal: one record that is intent and outcome at once. */
  refusal(record: LedgerRecord, json?: string): Promise<Place>
  /** Something that is no exchange: `{event, subject, actor, task, data}`. */
  event(record: LedgerRecord): Promise<Place>
  /** Head of this writer's chain, of durable records only. */
  head(): Head
  /** Whether a record could be made durable now. */
  ready(): { readonly ok: boolean; readonly why?: string }
  stats(): { readonly records: number; readonly syncs: number; readonly pending: number }
  /** Waits for what was appended, then releases the lock. */
  close(): Promise<void>
}

/** Thrown where nothing can be recorded; the call must not go on. */
export interface LedgerUnavailable extends Error {
  readonly code: 'ledger_unavailable'
}

/** One exchange, joined from its records (formats: receipts). */
export type Receipt = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly seq: number
  readonly outcome: 'allowed' | 'refused' | 'failed' | 'gone' | 'unknown' | 'open'
}

export interface ReceiptQuery {
  readonly where?: {
    readonly outcome?: string
    readonly tool?: string
    readonly task?: string
    readonly grant?: string
    readonly code?: string
    readonly host?: string
    /** RFC 3339 lower bound of `opened`. */
    readonly since?: string
  }
  /** Most recent first, unless `asc`. */
  readonly order?: 'asc' | 'desc'
  /** 1 to 1000; 100 by default. */
  readonly limit?: number
  /** Only receipts behind this sequence number, in the given order. */
  readonly after?: number
}

/** The queryable view of the log. */
export interface LedgerIndex {
  list(query: ReceiptQuery): Promise<readonly Receipt[]>
  get(id: string): Promise<Receipt | undefined>
  /** How many exchanges have each outcome, of all or of one task (sub-tasks included) or grant. */
  counts(where: {
    readonly task?: string
    readonly grant?: string
  }): Promise<Readonly<Record<string, number>>>
  events(query: {
    readonly limit?: number
    readonly after?: number
  }): Promise<readonly LedgerRecord[]>
  /** Resolves once everything that was durable at the call is indexed. */
  sync(): Promise<void>
  /** Records that are durable but not yet indexed. */
  lag(): number
  close(): Promise<void>
}
