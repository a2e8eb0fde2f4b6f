import { utf8 } from '../text.ts'

const CRLF = '\r\n'
const NEEDS_QUOTES = /[",\r\n]/

/** One line of a table (RFC 4180) from the raw JSON of each column's values. */
export function csvLine(columns: readonly (readonly string[])[]): Uint8Array {
  return utf8(columns.map((values) => quoted(cell(values))).join(',') + CRLF)
}

/** The first line of a table. */
export function csvHeader(names: readonly string[]): Uint8Array {
  return utf8(names.map(quoted).join(',') + CRLF)
}

/** A text as itself, anything else as its JSON, so that numbers keep their digits; several values as a list. */
function cell(values: readonly string[]): string {
  if (values.length > 1) return `[${values.join(',')}]`
  const [json = ''] = values
  if (!json.startsWith('"')) return json === 'null' ? '' : json
  return JSON.parse(json) as string
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
