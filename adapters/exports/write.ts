import type { FeedItem, LedgerFeed } from '../ledger/port.ts'
import { fieldsOf, timeOf } from './formats/fields.ts'
import { csvLines, ndjsonLines } from './formats/lines.ts'

/** What items can be written as, once and whole. */
export type WholeFormat = 'ndjson' | 'ocsf' | 'csv' | 'parquet'

/** Writes items in a format, piece by piece; each is taken before the next is made. */
export async function writeItems(
  items: AsyncIterable<FeedItem>,
  { format, version }: { readonly format: WholeFormat; readonly version: string },
  take: (piece: string | Uint8Array) => Promise<void>,
): Promise<void> {
  if (format === 'parquet') {
    // Loaded when it is needed: no start waits for it.
    const { writeParquet } = await import('./formats/parquet.ts')
    return writeParquet(items, take)
  }
  const lines =
    format === 'csv'
      ? csvLines(items)
      : ndjsonLines(items, { format: format === 'ocsf' ? 'ocsf' : 'json', version })
  for await (const text of lines) await take(text)
}

const PAGE = 500

/** All that the feed has, page by page; with `since` (RFC 3339, UTC) only what happened at that time or later. */
export async function* itemsOf(
  feed: Pick<LedgerFeed, 'read'>,
  since: string | undefined,
): AsyncGenerator<FeedItem, void> {
  let after = 0
  for (;;) {
    const page = await feed.read({ after, limit: PAGE })
    for (const item of page) {
      // All times are written alike, so that they compare as texts.
      if (since === undefined || (timeOf(fieldsOf(item)) ?? '') >= since) yield item
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = last.position
  }
}
