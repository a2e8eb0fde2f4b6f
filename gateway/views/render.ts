import {
  csvHeader,
  csvLine,
  VIEWS,
  type Result,
  type ShownRow,
  type Want,
} from '../../catalog/index.ts'
import { refusal } from '../refusal.ts'
import type { LedgerAnswer } from './answer.ts'

/** An answer as it goes out. */
export interface Rendered {
  readonly mediaType: string
  readonly body: Buffer
}

/**
 * Writes an answer in the form that was asked for: JSON with all of its members, or its rows as lines or as a table.
 * @throws Refusal where it is larger than was asked for
 */
export function renderAnswer(answer: LedgerAnswer, want: Want): Rendered {
  const { format = 'json', max_bytes: most = Infinity }: Result = want.want ?? {}
  const rows = answer.rows ?? (answer.row ? [answer.row] : [])
  const rendered = {
    json: () => text('application/json', JSON.stringify(answer)),
    ndjson: () =>
      text('application/x-ndjson', rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
    csv: () => ({
      mediaType: 'text/csv; charset=utf-8',
      body: csvOf(rows, columnsOf(answer, want)),
    }),
  }[format]()
  if (rendered.body.length <= most) return rendered
  throw refusal('too_large', 'want.max_bytes', {
    got: `an answer of ${rendered.body.length} bytes`,
    repair: 'ask for fewer rows or fields, or for more bytes',
  })
}

function text(mediaType: string, body: string): Rendered {
  return { mediaType, body: Buffer.from(body) }
}

/** The columns that were named, in their order. */
function columnsOf({ view }: LedgerAnswer, { select = [] }: Want): readonly string[] {
  const out = new Set(select.filter((name) => name.startsWith('-')).map((name) => name.slice(1)))
  const named = select.filter((name) => !name.startsWith('-'))
  return (named.length === 0 ? Object.keys(VIEWS[view].fields) : named).filter(
    (name) => !out.has(name),
  )
}

/** A table (RFC 4180); what a row does not have stays empty. */
export function csvOf(rows: readonly ShownRow[], columns: readonly string[]): Buffer {
  const lines = rows.map((row) =>
    csvLine(columns.map((name) => (name in row ? [JSON.stringify(row[name])] : []))),
  )
  return Buffer.concat([csvHeader(columns), ...lines])
}
