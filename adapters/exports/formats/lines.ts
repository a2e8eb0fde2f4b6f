import { setImmediate as turn } from 'node:timers/promises'
import type { FeedItem } from '../../ledger/port.ts'
import { COLUMNS, rowOf, type ColumnValue } from './columns.ts'
import { recordText, type Writing } from './record.ts'

/** So many items are written before others get their turn. */
const SLICE_ITEMS = 200

/** Items as lines of JSON: of the feed, with position and id, or of OCSF. */
export function ndjsonLines(
  items: AsyncIterable<FeedItem>,
  writing: Writing,
): AsyncGenerator<string> {
  return inSlices(items, (item) => `${lineOf(item, writing)}\n`)
}

function lineOf(item: FeedItem, writing: Writing): string {
  if (writing.format === 'ocsf') return recordText(item, writing)
  const { position, id, kind, json } = item
  return `{"position":${position},"id":${JSON.stringify(id)},"kind":"${kind}","record":${json}}`
}

/** Items as lines of CSV (RFC 4180), the names of the columns first. */
export async function* csvLines(items: AsyncIterable<FeedItem>): AsyncGenerator<string> {
  yield `${COLUMNS.map(({ name }) => name).join(',')}\r\n`
  yield* inSlices(items, (item) => `${rowOf(item).map(csvCell).join(',')}\r\n`)
}

function csvCell(value: ColumnValue): string {
  const text = value instanceof Date ? value.toISOString() : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

async function* inSlices(
  items: AsyncIterable<FeedItem>,
  write: (item: FeedItem) => string,
): AsyncGenerator<string> {
  let text = ''
  let count = 0
  for await (const item of items) {
    text += write(item)
    count += 1
    if (count % SLICE_ITEMS > 0) continue
    yield text
    text = ''
    await turn()
  }
  if (text !== '') yield text
}
