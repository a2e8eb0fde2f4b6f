import type { FeedItem, LedgerFeed } from '../ledger/port.ts'
import type { Batch, Bounds } from './sink.ts'

/** Reads items behind a position until there are enough, or no more. */
export async function gather(
  feed: Pick<LedgerFeed, 'read'>,
  after: number,
  bounds: Pick<Bounds, 'items' | 'chars'>,
): Promise<readonly FeedItem[]> {
  const items: FeedItem[] = []
  let chars = 0
  while (items.length < bounds.items && chars < bounds.chars) {
    const from = items.at(-1)?.position ?? after
    const page = await feed.read({ after: from, limit: bounds.items - items.length })
    if (page.length === 0) break
    for (const item of page) {
      items.push(item)
      chars += item.json.length
      if (chars >= bounds.chars) break
    }
  }
  return items
}

/** A batch of these items; undefined where there are none. */
export function batchOf(items: readonly FeedItem[]): Batch | undefined {
  const [first, ...others] = items
  if (first === undefined) return undefined
  const last = others.at(-1)
  const key = last === undefined ? first.id : `${first.id}-${last.id}`
  return { items: [first, ...others], key }
}
