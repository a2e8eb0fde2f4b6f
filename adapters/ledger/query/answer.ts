import {
  VIEWS,
  type FieldType,
  type Kept,
  type KeptRow,
  type ViewQuery,
} from '../../../catalog/views/index.ts'
import type { ViewAnswer } from '../port.ts'

/** A row as a driver gives it: PostgreSQL's long numbers come as texts. */
export type DriverRow = Readonly<Record<string, unknown>>

/** The page of an answer: the row beyond it, which shows that more follow, is taken off. */
export function answerOf(query: ViewQuery, rows: readonly DriverRow[], seq: number): ViewAnswer {
  const columns = columnTypes(query)
  const kept = rows.slice(0, query.limit).map((row) => keptRow(row, columns))
  return { rows: kept, more: rows.length > query.limit, seq }
}

type Columns = ReadonlyMap<string, FieldType>

function keptRow(row: DriverRow, columns: Columns): KeptRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, keptOf(value, columns.get(name))]),
  )
}

function keptOf(value: unknown, type: FieldType | undefined): Kept {
  if (type === 'text' || type === 'time') return typeof value === 'string' ? value : null
  return value === null || value === undefined ? null : Number(value)
}

/** What each column holds; all that is not named is a number. */
function columnTypes(query: ViewQuery): Columns {
  const { fields } = VIEWS[query.view]
  const typeOf = (field: string) => fields[field]?.type ?? 'number'
  if (query.kind === 'rows')
    return new Map(Object.entries(fields).map(([name, { type }]) => [name, type]))
  const groups = (query.by ?? []).map(({ name, field }) => [`by.${name}`, typeOf(field)] as const)
  const ends = query.figures
    .filter(({ name }) => name === 'min' || name === 'max')
    .map(({ name, field }) => [`${name}.${field}`, typeOf(field)] as const)
  return new Map([...groups, ...ends])
}
