import type { Secret } from '../keys/port.ts'

/** How a record is written: as the ledger has it, or as an OCSF API Activity. */
export type RecordFormat = 'json' | 'ocsf'

/** What files are made of: lines of JSON in one of the formats above, compressed with gzip, or a Parquet table. */
export type FileFormat = RecordFormat | 'parquet'

/** A collector that takes CloudEvents by HTTP. */
export interface WebhookOptions {
  readonly type: 'webhook'
  readonly name: string
  readonly url: string
  /** Signs each request by the scheme of Standard Webhooks; undefined leaves them unsigned. */
  readonly secret: Secret | undefined
  /** Value of the header `authorization`. */
  readonly authorization: Secret | undefined
  readonly format: RecordFormat
  /** Events of one request at most; with 1 each comes by itself (structured mode). */
  readonly batch: number
  /** From the request to the end of the answer, in ms. */
  readonly deadlineMs: number
}

/** A collector that takes OTLP logs by HTTP. */
export interface OtlpOptions {
  readonly type: 'otlp'
  readonly name: string
  readonly url: string
  readonly authorization: Secret | undefined
  readonly format: RecordFormat
  readonly batch: number
  readonly deadlineMs: number
}

/** How items become files. */
export interface FileOptions {
  readonly format: FileFormat
  /** A file holds so many bytes of JSON, before it is compressed, and the item with which it gets there. */
  readonly maxBytes: number
  /** No item waits longer than that for its file, in seconds. */
  readonly maxSeconds: number
}

/** A folder into which finished files are put. */
export interface FilesOptions extends FileOptions {
  readonly type: 'files'
  readonly name: string
  /** Absolute. */
  readonly folder: string
}

/** A bucket into which finished files are put. */
export interface BucketOptions extends FileOptions {
  readonly type: 'bucket'
  readonly name: string
  /** Name of the bucket. */
  readonly bucket: string
  /** What keys begin with; may be empty. */
  readonly prefix: string
}

export type SinkOptions = WebhookOptions | OtlpOptions | FilesOptions | BucketOptions

/** How one sink is doing. */
export interface ExportStatus {
  readonly name: string
  readonly type: SinkOptions['type']
  /** Position of the last item that was acknowledged. */
  readonly position: number
  /** Items that wait. */
  readonly backlog: number
  /** Items that were acknowledged since the start. */
  readonly delivered: number
  /** Deliveries that failed since the start. */
  readonly failures: number
  /** Items that the collector took in and then said it threw away. */
  readonly rejected: number
  /** Why the last delivery failed; undefined where it did not. */
  readonly error: string | undefined
}

/** Something about a sink that an operator should hear of. */
export type ExportNews =
  | { readonly sink: string; readonly kind: 'failing'; readonly why: string }
  | { readonly sink: string; readonly kind: 'working' }
  /** Its cursor is none of this ledger: everything is delivered again, under the same ids. */
  | { readonly sink: string; readonly kind: 'restarted' }

/** Carries the feed to where the configuration says. */
export interface Exports {
  status(): readonly ExportStatus[]
  /** Lets deliveries under way end for a moment, then breaks them off: they come again with the next start. */
  close(): Promise<void>
}
