import type { ShownRow, ViewName } from '../catalog/index.ts'
import type { LedgerAnswer } from '../gateway/views/answer.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

/** What people look at first; `select` shows other fields. */
const COLUMNS: Readonly<Record<ViewName, readonly string[]>> = {
  exchanges: [
    'opened',
    'outcome',
    'code',
    'status',
    'tool',
    'host',
    'task',
    'ms',
    'response_bytes',
    'id',
  ],
  turns: [
    'opened',
    'outcome',
    'model',
    'status',
    'task',
    'ms',
    'request_bytes',
    'response_bytes',
    'id',
  ],
  refusals: ['opened', 'code', 'axis', 'caveat', 'tool', 'host', 'task', 'id'],
  runs: [
    'run',
    'opened',
    'last',
    'calls',
    'allowed',
    'refused',
    'failed',
    'tasks',
    'ms',
    'response_bytes',
  ],
  tasks: [
    'task',
    'opened',
    'last',
    'calls',
    'allowed',
    'refused',
    'failed',
    'ms',
    'response_bytes',
  ],
  grants: [
    'grant',
    'opened',
    'last',
    'calls',
    'allowed',
    'refused',
    'failed',
    'tasks',
    'ms',
    'response_bytes',
  ],
}

/** A table of rows: of the fields that were named, or of those that people look at first. */
function rowsTable(
  view: ViewName,
  rows: readonly ShownRow[],
  select: readonly string[] | undefined,
): string {
  const names = select === undefined ? COLUMNS[view] : Object.keys(Object.assign({}, ...rows))
  return table(
    names.map((name) => name.toUpperCase()),
    rows.map((row) => names.map((name) => cell(row[name]))),
  )
}

/** A line of figures, flat: `by` as its names, `p95` as `p95.ms`. */
export function flatFigures(figures: ShownRow): ShownRow {
  const entries = Object.entries(figures).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [[name, value]]
    const members = Object.entries(value)
    return members.map(([field, one]) => [name === 'by' ? field : `${name}.${field}`, one])
  })
  return Object.fromEntries(entries) as ShownRow
}

function figuresTable(figures: readonly ShownRow[]): string {
  const lines = figures.map(flatFigures)
  const names = Object.keys(lines[0] ?? {})
  return table(
    names.map((name) => name.toUpperCase()),
    lines.map((line) => names.map((name) => cell(line[name]))),
  )
}

function cell(value: unknown): string {
  return value === undefined || value === null
    ? '-'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
}

/** The rows or figures of an answer, whichever it has. */
export function rowsOf({ rows, row, figures }: LedgerAnswer): readonly ShownRow[] {
  if (figures !== undefined) return Array.isArray(figures) ? figures : [figures as ShownRow]
  return rows ?? (row ? [row] : [])
}

/** Prints an answer for people; what else there is to know goes to stderr. */
export function printAnswer(
  answer: LedgerAnswer,
  select: readonly string[] | undefined,
  { out, err }: Terminal,
): void {
  const rows = rowsOf(answer)
  if (rows.length === 0) err.line('nothing matches')
  else
    out.write(
      answer.figures === undefined ? rowsTable(answer.view, rows, select) : figuresTable(rows),
    )
  if (typeof answer.next === 'string') err.line(`there is more: cursor=${answer.next}`)
  if (answer.lag > 0) err.line(`${answer.lag} records are not in the index yet`)
}
