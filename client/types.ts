import type { Refused } from './refused.ts'

/** A filter: `{field: value}`, `{field: {gte: 1}}`, with `and`, `or`, `not`. */
export type Where = Readonly<Record<string, unknown>>

/** What is to come back of an answer, in the envelope's grammar (docs/formats.md). */
export interface Projection {
  readonly where?: Where
  readonly select?: readonly string[]
  /** Paths, `-` before one for descending. */
  readonly order?: readonly string[]
  readonly page?: { readonly limit?: number; readonly cursor?: string }
  readonly want?: {
    readonly shape?: 'rows' | 'first' | 'count' | 'receipt'
    readonly aggregate?: Readonly<Record<string, unknown>>
    readonly format?: 'json' | 'ndjson' | 'csv'
    readonly max_bytes?: number
  }
}

/** How a call is carried out. */
export interface Control {
  /** Milliseconds. */
  readonly timeout_ms?: number
  readonly idempotency_key?: string
}

/** How one call is made, and what is wanted of its answer. */
export interface Asked extends Projection {
  readonly control?: Control
  readonly signal?: AbortSignal
}

/** What came of a call that the gateway let through. */
export interface Answer<Value = unknown> {
  /** JSON as its value, other text as text, the rest as bytes; undefined where there is no body. */
  readonly value: Value
  /** Id of the receipt. */
  readonly receipt: string
  /** The upstream's own status: one above 399 is its error, not the gateway's. */
  readonly status: number
  /** `<bytes before>-><bytes after>`, `streamed` or `no`; null where nothing was to be cut. */
  readonly projected: string | null
  /** Cursor of the next page; null at the end. */
  readonly next: string | null
}

/** A tool that a question means. */
export interface Found {
  readonly name: string
  readonly summary: string
  readonly score: number
  readonly matched_on: string
  /** Why, in plain words. */
  readonly matched_because: string
}

/** Rows of the tools as they were wanted, and the cursor of the page behind them. */
export interface Listed {
  readonly value: unknown
  readonly next: string | null
}

/** Everything about one tool. */
export interface Contract {
  readonly name: string
  readonly summary: string
  /** JSON Schema of its arguments. */
  readonly input_schema: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** The record of one call. */
export interface Receipt {
  readonly id: string
  readonly tool: string
  readonly outcome: string
  readonly [field: string]: unknown
}

/** A call of a tool within a batch. A value of `args` may be `{$from: 'key.path'}`. */
export interface ToolCall extends Projection {
  /** How its answer and later calls name it; its place, from 0, where it is left out. */
  readonly key?: string
  readonly tool: string
  readonly args?: Readonly<Record<string, unknown>>
  /** Keys of calls that it waits for. */
  readonly with?: readonly string[]
  readonly control?: Control
}

/** A request that is sent as it is written. */
export interface HttpCall {
  readonly key?: string
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text as it is, anything else as JSON. */
  readonly body?: unknown
}

/** One call of a batch. */
export type BatchCall = ToolCall | HttpCall

/** What came of one call of a batch. */
export interface BatchAnswer {
  readonly key: string
  /** Whether an upstream answered with a status below 400. */
  readonly ok: boolean
  readonly status: number
  /** JSON as its value, other text as text, bytes as `{base64}`. */
  readonly value: unknown
  /** Why it was not made, or came to no end; null where the upstream answered. */
  readonly refused: Refused | null
  readonly receipt: string | null
}

/** Names of the gateway's own header fields, where its configuration has others. */
export interface HeaderNames {
  readonly receipt: string
  readonly refused: string
  readonly projected: string
  readonly cursor: string
}
