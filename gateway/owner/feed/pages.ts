import type { FeedItem, LedgerFeed } from '../../../adapters/ledger/port.ts'
import type { FeedQuery } from './query.ts'

/** Items that are asked for at once; the feed gives fewer where they are large. */
const PAGE = 500

/**
 * The pages of the feed to its present end or, where it is followed, until it is stopped. One page is in memory at a
 * time, and the next is read when it has been taken. An empty page says that nothing came for `idleMs`.
 */
export async function* pagesOf(
  feed: LedgerFeed,
  { after, limit = Infinity, follow }: Pick<FeedQuery, 'after' | 'limit' | 'follow'>,
  { stopped, idleMs }: { readonly stopped: AbortSignal; readonly idleMs: number },
): AsyncGenerator<readonly FeedItem[], void> {
  const end = follow ? Infinity : feed.end()
  let position = after
  let left = limit
  while (left > 0 && position < end && !stopped.aborted) {
    if (feed.end() <= position) {
      if (!(await growth(feed, stopped, idleMs))) yield []
      continue
    }
    const items = await feed.read({ after: position, limit: Math.min(left, end - position, PAGE) })
    position = items.at(-1)?.position ?? position
    left -= items.length
    yield items
  }
}

/** Whether the feed grew, or the wait was stopped, before the time was over. */
function growth(feed: LedgerFeed, stopped: AbortSignal, idleMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (grew: boolean) => {
      clearTimeout(timer)
      stopListening()
      stopped.removeEventListener('abort', onStop)
      resolve(grew)
    }
    const onStop = () => done(true)
    const timer = setTimeout(() => done(false), idleMs)
    const stopListening = feed.onGrowth(() => done(true))
    stopped.addEventListener('abort', onStop)
    if (stopped.aborted) done(true)
  })
}
