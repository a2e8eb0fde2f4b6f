/** A value that a filter compares with. */
export type Comparable = string | number | boolean | null

/** What one field must satisfy; every member must hold. */
export interface Tests {
  readonly eq?: Comparable
  readonly ne?: Comparable
  readonly lt?: string | number
  readonly lte?: string | number
  readonly gt?: string | number
  readonly gte?: string | number
  readonly in?: readonly Comparable[]
  readonly glob?: string
  readonly prefix?: string
  readonly exists?: boolean
}

/** A filter: paths with a value or tests, and `and`, `or`, `not`; all members must hold. */
export interface Where {
  readonly and?: readonly Where[]
  readonly or?: readonly Where[]
  readonly not?: Where
  readonly [path: string]: Comparable | Tests | Where | readonly Where[] | undefined
}

/** Which part of the rows, by position behind filter and order. */
export interface Page {
  /** 1 to 10000. */
  readonly limit?: number
  /** The opaque text that the page before gave. */
  readonly cursor?: string
}

/** Figures over all rows that passed the filter. */
export interface Aggregate {
  readonly count?: boolean
  readonly sum?: readonly string[]
  readonly min?: readonly string[]
  readonly max?: readonly string[]
  readonly avg?: readonly string[]
  readonly p50?: readonly string[]
  readonly p95?: readonly string[]
  readonly p99?: readonly string[]
  /** Paths whose values make the groups. */
  readonly by?: readonly string[]
}

export type ResultShape = 'rows' | 'first' | 'count' | 'receipt'
export type ResultFormat = 'json' | 'ndjson' | 'csv'

/** In which form the result comes back. */
export interface Result {
  readonly shape?: ResultShape
  readonly aggregate?: Aggregate
  readonly format?: ResultFormat
  /** A larger result is refused. */
  readonly max_bytes?: number
}

/** What a caller wants of an answer: checked, but not compiled. */
export interface Want {
  readonly where?: Where
  readonly select?: readonly string[]
  readonly order?: readonly string[]
  readonly page?: Page
  readonly want?: Result
}
