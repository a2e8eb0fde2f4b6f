import type { Where } from '../want/types.ts'

/**
 * What a field of a view holds. `time` is RFC 3339 in UTC with milliseconds. Back ends keep `milliseconds` as whole
 * microseconds and a `flag` as 1 or 0, so that figures are exact and equal everywhere.
 */
export type FieldType = 'text' | 'time' | 'number' | 'milliseconds' | 'flag'

export interface ViewField {
  readonly type: FieldType
  readonly says: string
}

export type ViewName = 'exchanges' | 'runs' | 'turns' | 'refusals' | 'grants' | 'tasks'

export interface View {
  /** What one row is. */
  readonly says: string
  /** Every field, in the order in which a row shows them. */
  readonly fields: Readonly<Record<string, ViewField>>
  /** The fields that `since` (not before) and `until` (before) speak of. */
  readonly span: { readonly since: string; readonly until: string }
}

/** The length of a time bucket. Weeks begin on Monday; everything is UTC. */
export type TimeUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/** What groups are made by. */
export interface Grouping {
  /** As it was asked for: `tool`, `opened:day`. */
  readonly name: string
  readonly field: string
  readonly unit?: TimeUnit
}

export type FigureName = 'sum' | 'min' | 'max' | 'avg' | 'p50' | 'p95' | 'p99'

export interface Figure {
  readonly name: FigureName
  readonly field: string
}

/** One entry of an order list: a field, or of groups a figure such as `p95.ms`, `count` or `by.tool`. */
export interface ViewOrder {
  readonly field: string
  readonly descending: boolean
}

/** A value as back ends keep it. */
export type Kept = string | number | null

/** A row as back ends give it, by field, or by figure. */
export type KeptRow = Readonly<Record<string, Kept>>

/** Where a page ended: what its last row is ordered by, and its sequence number. */
export interface Mark {
  readonly keys: readonly Kept[]
  readonly seq: number
}

interface Paged {
  readonly view: ViewName
  /** Checked: only fields of the view, with values as back ends keep them. */
  readonly where: Where
  readonly order: readonly ViewOrder[]
  readonly limit: number
  /** Only what follows this place. */
  readonly after?: Mark
}

/** Rows of a view. Ties, and rows without an order, come with the latest first. */
export interface RowsQuery extends Paged {
  readonly kind: 'rows'
  readonly select: readonly string[]
}

/** Figures over all rows that pass; one row, or one for each group. */
export interface FiguresQuery extends Paged {
  readonly kind: 'figures'
  readonly count: boolean
  readonly figures: readonly Figure[]
  /** Undefined: one row over everything. Groups come as their latest row would, where no order says otherwise. */
  readonly by?: readonly Grouping[]
}

/** A question to a view that was checked: what a back end answers. */
export type ViewQuery = RowsQuery | FiguresQuery
