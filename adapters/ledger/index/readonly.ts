import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { LedgerIndex } from '../port.ts'
import { segmentNumbers, segmentPath, writerNames } from '../segment/layout.ts'
import { logOwner } from '../segment/owner.ts'
import { countUnindexed } from './lag.ts'
import type { IndexFiles } from './protocol.ts'
import { createIndexReader } from './reading.ts'
import { openIndexFile } from './schema.ts'
import { createTail } from './tail.ts'
import { createViews } from './views.ts'

const SYNC_LIMIT_MS = 5000
const SYNC_POLL_MS = 20

/**
 * The index as another process may use it, such as the command line: beside a running gateway it only reads,
 * since the gateway indexes (call `sync` where the last tenth of a second matters); where no gateway runs it
 * catches up with the log itself.
 */
export async function openReadOnlyIndex(files: IndexFiles): Promise<LedgerIndex> {
  const served = logOwner(files.folder) !== undefined && existsSync(files.file)
  const db = served
    ? new Database(files.file, { readonly: true, timeout: 5000 })
    : openIndexFile(files.file)
  const reader = createIndexReader(db)
  const sync = served ? () => waitFor(db, files) : createCatchUp(db, files.folder)
  if (!served) await sync()
  return {
    list: async (query) => reader.list(query),
    get: async (id) => reader.get(id),
    counts: async (where) => reader.counts(where),
    events: async (query) => reader.events(query),
    ...createViews(db),
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

/** Waits until the gateway has indexed what the files held at the call. */
async function waitFor(db: Database.Database, { folder }: IndexFiles): Promise<void> {
  const wanted = writerNames(folder).flatMap((name) => {
    const segment = segmentNumbers(join(folder, name)).at(-1)
    return segment === undefined
      ? []
      : { name, segment, size: statSync(segmentPath(folder, name, segment)).size }
  })
  const position = db.prepare<[string], { segment: number; next: number; fault: string | null }>(
    'SELECT segment, next, fault FROM writers WHERE name = ?',
  )
  const reached = () =>
    wanted.every(({ name, segment, size }) => {
      const at = position.get(name)
      if (at === undefined) return false
      return (
        at.fault !== null || at.segment > segment || (at.segment === segment && at.next >= size)
      )
    })
  const end = performance.now() + SYNC_LIMIT_MS
  while (!reached()) {
    if (performance.now() > end) {
      throw new Error(
        `ledger ${folder}: the gateway did not index the log within \`${SYNC_LIMIT_MS}\` ms; ` +
          'look at its log, or stop it and ask again',
      )
    }
    await sleep(SYNC_POLL_MS)
  }
}
