import type { Database, LateDatabase } from '../../postgres/port.ts'
import { waitUntilIndexed } from '../index/reached.ts'
import type { LedgerIndex } from '../port.ts'
import { logOwner } from '../segment/owner.ts'
import { createPostgresReader } from './reading.ts'
import { createShipper, readPositions } from './shipper.ts'

interface OfflineIndexOptions {
  /** The log's folder. */
  readonly folder: string
  readonly database: LateDatabase
  readonly reading: Database
}

/**
 * The index in PostgreSQL as another process may use it, such as the command line: beside a running gateway it only
 * reads, since the gateway ships; where no gateway runs it takes the log over itself, when `sync` is called.
 */
export function openOfflinePostgresIndex(options: OfflineIndexOptions): LedgerIndex {
  const { folder, database, reading } = options
  const reader = createPostgresReader(reading)
  if (logOwner(folder) === undefined) {
    const ignore = () => undefined
    const shipper = createShipper({ folder, database, onFault: ignore, onState: ignore })
    return { ...reader, ...shipper }
  }
  return {
    ...reader,
    sync: () =>
      waitUntilIndexed(folder, async (writer) => {
        const positions = await readPositions(database)
        return positions.find(({ name }) => name === writer)
      }),
    lag: () => 0,
    close: async () => undefined,
  }
}
