import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { LedgerFeed, LedgerIndex } from '../port.ts'
import { logOwner } from '../segment/owner.ts'
import { createFeedReader } from './feed.ts'
import type { Position } from './follow.ts'
import { countUnindexed } from './lag.ts'
import type { IndexFiles } from './protocol.ts'
import { waitUntilIndexed } from './reached.ts'
import { createIndexReader } from './reading.ts'
import { openIndexFile } from './schema.ts'
import { createTail } from './tail.ts'
import { createViews } from './views.ts'

/** With the feed as far as it is numbered; nobody is told when it grows. */
export interface ReadOnlyIndex extends LedgerIndex {
  readonly feed: Pick<LedgerFeed, 'read' | 'end'>
}

/**
 * The index as another process may use it, such as the command line: beside a running gateway it only reads,
 * since the gateway indexes (call `sync` where the last tenth of a second matters); where no gateway runs it
 * catches up with the log itself.
 */
export async function openReadOnlyIndex(files: IndexFiles): Promise<ReadOnlyIndex> {
  const served = logOwner(files.folder) !== undefined && existsSync(files.file)
  const db = served
    ? new Database(files.file, { readonly: true, timeout: 5000 })
    : openIndexFile(files.file)
  const reader = createIndexReader(db)
  const feed = createFeedReader(db)
  const sync = (served ? createWait : createCatchUp)(db, files.folder)
  if (!served) await sync()
  return {
    list: async (query) => reader.list(query),
    get: async (id) => reader.get(id),
    counts: async (where) => reader.counts(where),
    events: async (query) => reader.events(query),
    ...createViews(db),
    feed: { read: async (query) => feed.read(query), end: () => feed.end() },
    sync,
    lag: () => countUnindexed(db, files.folder),
    close: async () => void db.close(),
  }
}

function createCatchUp(db: Database.Database, folder: string): () => Promise<void> {
  const tail = createTail(db, folder)
  return async () => {
    while (tail.step().more) await sleep(0)
  }
}

/** Waits for the gateway, which indexes. */
function createWait(db: Database.Database, folder: string): () => Promise<void> {
  const position = db.prepare<[string], Pick<Position, 'segment' | 'next' | 'fault'>>(
    'SELECT segment, next, fault FROM writers WHERE name = ?',
  )
  return () => waitUntilIndexed(folder, async (writer) => position.get(writer))
}
