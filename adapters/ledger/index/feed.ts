import type Database from 'better-sqlite3'
import type { FeedItem, LedgerRecord } from '../port.ts'
import { eventOf } from './event.ts'
import { joinReceipt } from './receipt.ts'

/** A page holds so many characters of JSON, and the item with which it gets there. */
const PAGE_CHARS = 1024 * 1024

/** Reads the feed, on one connection. */
export interface FeedReader {
  read(query: { readonly after: number; readonly limit: number }): readonly FeedItem[]
  end(): number
}

interface Row {
  readonly position: number
  readonly writer: string
  readonly n: number
  readonly seq: number
  readonly intent: string | null
  readonly result: string | null
  readonly event: string | null
}

export function createFeedReader(db: Database.Database): FeedReader {
  const rows = db.prepare<[number, number], Row>(
    `SELECT position, writer, n, feed.seq AS seq, intent, result, record AS event
     FROM feed LEFT JOIN receipts ON receipts.seq = feed.seq LEFT JOIN events ON events.seq = feed.seq
     WHERE position > ? ORDER BY position LIMIT ?`,
  )
  const last = db.prepare<[], number>('SELECT max(position) FROM feed').pluck()
  return {
    read({ after, limit }) {
      const items: FeedItem[] = []
      let chars = 0
      for (const row of rows.iterate(after, limit)) {
        const item = itemOf(row)
        items.push(item)
        chars += item.json.length
        if (chars >= PAGE_CHARS) break
      }
      return items
    },
    end: () => last.get() ?? 0,
  }
}

function itemOf({ position, writer, n, seq, intent, result, event }: Row): FeedItem {
  const id = `${writer}:${n}`
  if (event !== null)
    return { position, id, kind: 'event', json: JSON.stringify(eventOf(seq, event)) }
  const receipt = joinReceipt(
    seq,
    parse(intent ?? '{}'),
    result === null ? undefined : parse(result),
  )
  return { position, id, kind: 'receipt', json: JSON.stringify(receipt) }
}

function parse(json: string): LedgerRecord {
  return JSON.parse(json) as LedgerRecord
}
