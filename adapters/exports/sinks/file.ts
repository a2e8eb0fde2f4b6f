import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import type { FeedItem } from '../../ledger/port.ts'
import { ndjsonLines } from '../formats/lines.ts'
import { parquetInThread } from '../formats/parquet-thread.ts'
import type { FileOptions } from '../port.ts'
import type { Batch, Bounds } from '../sink.ts'

/** More of them than that make a file before it has its size: each row costs memory. */
const MAX_ITEMS = 100_000
const POSITION_DIGITS = 12

/** When a file is whole. */
export function fileBounds({ maxBytes, maxSeconds }: FileOptions): Bounds {
  return { items: MAX_ITEMS, chars: maxBytes, lingerMs: maxSeconds * 1000 }
}

/**
 * `<sink>-<first position>-<last position>-<mark>.<ending>`: a batch that comes again gets its name again, and one of another
 * ledger a name of its own, by the mark.
 */
export function fileName(
  { items, key }: Batch,
  { name, format }: Pick<FileOptions, 'format'> & { readonly name: string },
): string {
  const position = (item: FeedItem = items[0]) =>
    String(item.position).padStart(POSITION_DIGITS, '0')
  const mark = hash('sha256', key).slice(0, 8)
  const ending = format === 'parquet' ? 'parquet' : 'ndjson.gz'
  return `${name}-${position()}-${position(items.at(-1))}-${mark}.${ending}`
}

/** The bytes of a batch's file; other work gets its turn while they are made. */
export async function fileBytes(
  { items }: Batch,
  { format, version }: Pick<FileOptions, 'format'> & { readonly version: string },
  signal: AbortSignal,
): Promise<Buffer> {
  if (format === 'parquet') return parquetInThread(items, signal)
  const source = Readable.from(items) as AsyncIterable<FeedItem>
  return buffer(Readable.from(ndjsonLines(source, { format, version })).pipe(createGzip()))
}
