import type { Cursors } from '../want/page.ts'
import { VIEWS } from './fields.ts'
import { viewCursors } from './mark.ts'
import type { FiguresQuery, KeptRow, RowsQuery, ViewName, ViewQuery } from './types.ts'
import { shownValue } from './values.ts'

type Shown = string | number | boolean | null

/** A row, or the figures of a group, as an answer shows them. */
export type ShownRow = Readonly<Record<string, unknown>>

/** What an answer to a view carries. */
export type ViewResult =
  | {
      readonly kind: 'rows'
      readonly rows: readonly ShownRow[]
      readonly cursor: string
      readonly next: string | null
    }
  /** One object for each group. */
  | {
      readonly kind: 'groups'
      readonly figures: readonly ShownRow[]
      readonly cursor: string
      readonly next: string | null
    }
  /** One object over everything. */
  | { readonly kind: 'figures'; readonly figures: ShownRow }

/** Turns what a back end gave into what is shown. `more` says whether further rows follow. */
export function viewResult(
  query: ViewQuery,
  { rows, more }: { readonly rows: readonly KeptRow[]; readonly more: boolean },
  cursors: Cursors,
): ViewResult {
  if (query.kind === 'figures' && query.by === undefined)
    return { kind: 'figures', figures: shownFigures(query, rows[0] ?? {}) }
  const page = viewCursors(query, rows.at(-1), { more, cursors })
  if (query.kind === 'rows')
    return { kind: 'rows', rows: rows.map((row) => shownRow(query, row)), ...page }
  return { kind: 'groups', figures: rows.map((row) => shownFigures(query, row)), ...page }
}

/** A field that a row does not have is left out. */
function shownRow({ view, select }: RowsQuery, row: KeptRow): ShownRow {
  const entries = select.flatMap((name) => {
    const value = shown(view, name, row[name])
    return value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

function shownFigures(query: FiguresQuery, row: KeptRow): ShownRow {
  const { view, by, count, figures } = query
  const groups = by?.map(
    ({ name, field }) => [name, shown(view, field, row[`by.${name}`])] as const,
  )
  const named: Record<string, Record<string, Shown>> = {}
  for (const { name, field } of figures)
    (named[name] ??= {})[field] = shown(view, field, row[`${name}.${field}`])
  return {
    ...(groups && { by: Object.fromEntries(groups) }),
    ...(count && { count: row['count'] ?? 0 }),
    ...named,
  }
}

function shown(view: ViewName, field: string, kept: KeptRow[string] | undefined): Shown {
  const type = VIEWS[view].fields[field]?.type ?? 'text'
  return shownValue(type, kept ?? null)
}
