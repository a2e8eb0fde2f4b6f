import type {
  BodyErasure,
  FeedItem,
  Head,
  Ledger,
  LedgerErasures,
  LedgerFeed,
  LedgerIndex,
  LedgerRecord,
  Receipt,
  ViewAnswer,
} from '../port.ts'
import type { IndexCall, IndexFiles } from './protocol.ts'
import type { Progress } from './tail.ts'
import { createThread } from './thread.ts'

const POLL_MS = 100

export interface LedgerIndexOptions extends IndexFiles {
  /** The log of this process: with it only durable records are indexed. Without it, all whole lines are. */
  readonly log?: Pick<Ledger, 'head'>
  /** Told once for each place at which a writer's chain breaks; JSON with writer, segment, record, offset, what. */
  readonly onFault?: (fault: string) => void
}

/** The index with the feed that it numbers. */
export interface FeedingIndex extends LedgerIndex {
  readonly feed: LedgerFeed
  readonly erasures: LedgerErasures
}

/** Opens the index in a thread of its own, and keeps it up with the log. */
export async function openLedgerIndex(options: LedgerIndexOptions): Promise<FeedingIndex> {
  const { folder, file, log, onFault = () => undefined } = options
  const thread = createThread<IndexCall>({
    home: import.meta.url,
    data: { folder, file } satisfies IndexFiles,
    name: `ledger index ${file}`,
  })
  const told = new Set<string>()
  const growth = new Set<() => void>()
  let indexed: Progress['indexed'] = {}
  let fed = 0
  let seen: string | undefined
  let busy = false

  const advance = async (): Promise<void> => {
    const durable = log?.head()
    const progress = (await thread.call({ name: 'advance', durable })) as Progress
    indexed = progress.indexed
    seen = durable?.hash
    const grown = progress.fed !== fed
    fed = progress.fed
    if (grown) for (const listener of growth) listener()
    for (const fault of progress.faults.filter((each) => !told.has(each))) {
      told.add(fault)
      onFault(fault)
    }
  }
  const poll = (): void => {
    if (busy || (log !== undefined && log.head().hash === seen)) return
    busy = true
    // A pass that fails (a folder that cannot be read) is tried again at the next tick; `sync` reports it.
    void advance()
      .catch(() => undefined)
      .finally(() => (busy = false))
  }

  try {
    await advance()
  } catch (error) {
    await thread.end()
    throw error
  }
  const timer = setInterval(poll, POLL_MS)
  return {
    list: async (query) => (await thread.call({ name: 'list', query })) as readonly Receipt[],
    get: async (id) => (await thread.call({ name: 'get', id })) as Receipt | undefined,
    counts: async (where) =>
      (await thread.call({ name: 'counts', where })) as Readonly<Record<string, number>>,
    events: async (query) =>
      (await thread.call({ name: 'events', query })) as readonly LedgerRecord[],
    feed: {
      read: async (query) => (await thread.call({ name: 'feed', query })) as readonly FeedItem[],
      end: () => fed,
      sync: advance,
      onGrowth(listener) {
        growth.add(listener)
        return () => void growth.delete(listener)
      },
    },
    erasures: {
      of: async (hashes) =>
        (await thread.call({ name: 'erasures', hashes })) as readonly BodyErasure[],
    },
    view: async (query) => (await thread.call({ name: 'view', query })) as ViewAnswer,
    last: async () => (await thread.call({ name: 'last' })) as number,
    sync: advance,
    lag: () => lagBehind(log?.head(), indexed),
    async close() {
      clearInterval(timer)
      await thread.call({ name: 'close' }).catch(() => undefined)
      await thread.end()
    },
  }
}

function lagBehind(head: Head | undefined, indexed: Progress['indexed']): number {
  return head === undefined ? 0 : Math.max(0, head.n - (indexed[head.writer] ?? 0))
}
