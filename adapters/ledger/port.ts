import type { KeptRow, ViewQuery } from '../../catalog/index.ts'

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
   * its text, where the caller has made that already. `mode` is this record's own; without it the log's.
   */
  intent(record: LedgerRecord, json?: string, mode?: LedgerMode): Promise<Place>
  /** Closes the exchange that `intent` opened. */
  outcome(intent: Place, record: LedgerRecord, json?: string, mode?: LedgerMode): Promise<Place>
  /** A refusal: one record that is intent and outcome at once. */
  refusal(record: LedgerRecord, json?: string, mode?: LedgerMode): Promise<Place>
  /** Something that is no exchange: `{event, subject, actor, task, data}`. The log puts the time in front, `at`. */
  event(record: LedgerRecord): Promise<Place>
  /** Head of this writer's chain, of durable records only. */
  head(): Head
  /** Whether a record could be made durable now. */
  ready(): { readonly ok: boolean; readonly why?: string }
  stats(): {
    readonly records: number
    readonly syncs: number
    readonly pending: number
    /** Records that were accepted in the modes `batch` and `best-effort` and could not be kept. */
    readonly lost: number
  }
  /** Waits for what was appended, then releases the lock. */
  close(): Promise<void>
}

/** Thrown where nothing can be recorded; the call must not go on. */
export interface LedgerUnavailable extends Error {
  readonly code: 'ledger_unavailable'
  /**
   * Of a record that was given up while it was being written: whether it is in the log after all, as soon as that is
   * known; an intent then has an outcome `failed` of the log's own. Undefined where it surely is not.
   */
  readonly fate: Promise<boolean> | undefined
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

/** That a kept body was erased, as the log has it. */
export interface BodyErasure {
  readonly sha256: string
  /** RFC 3339; null in logs from before events had a time. */
  readonly at: string | null
  /** `gateway` or `owner`. */
  readonly by: string
  /** `store_full` or `retention`. */
  readonly why: string
}

/** What became of this gateway's kept bodies. */
export interface LedgerErasures {
  /** The last erasure of each body that was erased. */
  of(hashes: readonly string[]): Promise<readonly BodyErasure[]>
}

/** What the feed gives: an exchange that was closed, or an event. */
export interface FeedItem {
  /** 1, 2, 3 … without gaps, in the order in which the indexer met the records that closed things. */
  readonly position: number
  /** `<writer>:<n>` of the record that closed it: the same at every delivery, for ever, of no other item. */
  readonly id: string
  readonly kind: 'receipt' | 'event'
  /** The receipt or event, as JSON text on one line. */
  readonly json: string
}

/**
 * Receipts and events in an order that never changes. An exchange comes when it is closed, so one that is open holds
 * back nothing behind it.
 */
export interface LedgerFeed {
  /** Items behind a position: at most `limit`, fewer where they are large; none only where there are none yet. */
  read(query: { readonly after: number; readonly limit: number }): Promise<readonly FeedItem[]>
  /** Position of the last item; 0 where there is none. */
  end(): number
  /** Resolves once everything that was durable at the call is numbered. */
  sync(): Promise<void>
  /** Calls after the end has moved. Returns the way to stop that. */
  onGrowth(listener: () => void): () => void
}

/** What an index answers to a question to a view. */
export interface ViewAnswer {
  readonly rows: readonly KeptRow[]
  /** Whether further rows follow. */
  readonly more: boolean
  /** The highest sequence number that the index had when it was asked. */
  readonly seq: number
}

/** What a request to take in lines came to. */
export interface Ingested extends Head {
  /** Records that were new. */
  readonly added: number
  /** Records that were there already, byte for byte. */
  readonly known: number
}

/** Takes in the logs of other recorders. */
export interface LedgerIngest {
  /**
   * Takes lines of a writer's segments, a header first: records that are there are compared, those behind the end are
   * appended. Resolves once all are durable; rejects with an `IngestFault` at the first line that does not fit, and
   * keeps those before.
   */
  take(lines: AsyncIterable<Uint8Array>): Promise<Ingested>
}

/** Why a line was not taken in. */
export interface IngestFault extends Error {
  readonly name: 'IngestFault'
  /**
   * `gap`: something before it is missing; `fork`: another line is kept in its place; `mismatch`: its hash is not that of
   * the chain; `taken`: the writer's name is our own; `malformed`: it is no line.
   */
  readonly code: 'gap' | 'fork' | 'mismatch' | 'taken' | 'malformed'
  /** Number of the record, 0 for a header; undefined where it has none. */
  readonly record: number | undefined
  /** How far the writer's log is kept. */
  readonly head: Head | undefined
}

/** The queryable view of the log. */
export interface LedgerIndex {
  /** Answers a question that `checkView` has checked. */
  view(query: ViewQuery): Promise<ViewAnswer>
  /** The highest sequence number that the index has; 0 where it is empty. */
  last(): Promise<number>
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

/** A signed head of a writer's Merkle tree, as a C2SP tlog-checkpoint. */
export interface Checkpoint {
  /** `<log name>/<writer>`. */
  readonly origin: string
  /** How many records it covers: all up to the one of this number. */
  readonly size: number
  /** The signed note. */
  readonly note: string
}

/** When an exchange was open; says where in the log its records are looked for. */
export interface ExchangeTimes {
  /** Of its receipt. */
  readonly id: string
  /** RFC 3339. */
  readonly opened: string
  /** Undefined while it is open. */
  readonly closed: string | undefined
}

/** Proof that records are in the tree of a checkpoint (RFC 6962, 2.1.1). */
export interface InclusionProof {
  readonly checkpoint: Checkpoint
  /** Intent and outcome, or the refusal. */
  readonly records: readonly {
    /** Its leaf has the number before. */
    readonly n: number
    /** The leaf: the record's line without its line feed. */
    readonly line: string
    /** The audit path in base64, from the leaf up. */
    readonly path: readonly string[]
  }[]
}

/** Proof that the log only grew between two sizes (RFC 6962, 2.1.2). */
export interface ConsistencyProof {
  readonly from: number
  readonly to: number
  /** In base64. */
  readonly path: readonly string[]
  /** At the size `to`. */
  readonly checkpoint: Checkpoint
}

/** Signed heads of the writer's log, and proofs against them. */
export interface LedgerProofs {
  /** What others check signatures with, in the form of C2SP signed-note. */
  readonly verifierKey: string
  /** Signs now, and from time to time from now on. */
  start(): void
  /** The last one that was signed here, before a restart or after it; undefined where there is none. */
  latest(): Checkpoint | undefined
  /** Signs all that is durable now, keeps it beside the log, records it. */
  sign(): Promise<Checkpoint>
  /** The head as it was at a size; undefined of one that no signed head has reached. */
  at(size: number): Promise<Checkpoint | undefined>
  /** Undefined where this writer's log has no record of the exchange. */
  inclusion(exchange: ExchangeTimes): Promise<InclusionProof | undefined>
  /** Undefined where `from` is beyond `to`, or `to` beyond what is signed. */
  consistency(from: number, to: number): Promise<ConsistencyProof | undefined>
  /** Why nothing is signed any more: the log is not the one that was signed. */
  fault(): string | undefined
  /** Signs once more, then ends. */
  close(): Promise<void>
}

/** Carries checkpoints and sealed segments to where nobody who writes the log can change them. */
export interface LedgerAnchor {
  stats(): {
    /** Checkpoints and segments that are still to be carried, as of the last look. */
    readonly backlog: number
    /** It cannot be written to at present. */
    readonly away: boolean
    /** Keys under which something else lies than what this log has; nothing behind it is carried. */
    readonly forks: readonly string[]
  }
  /** Carries what was signed last, where that is done in a few seconds; else the next start does it. */
  close(): Promise<void>
}
