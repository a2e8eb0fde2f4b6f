import type { Database } from '../../postgres/port.ts'
import type { LedgerIndex } from '../port.ts'
import { createPostgresReader } from './reading.ts'
import { createShipper, type ShipperOptions } from './shipper.ts'

export interface PostgresIndexOptions extends ShipperOptions {
  /** For questions, which may take longer than writes. */
  readonly reading: Database
}

/**
 * The index in PostgreSQL, which several gateways may share: each takes its own log over. It opens whether or not the
 * database is there; what is asked rejects for as long as it is not. Closing it leaves the databases open.
 */
export function openPostgresIndex({ reading, ...options }: PostgresIndexOptions): LedgerIndex {
  const shipper = createShipper(options)
  return {
    ...createPostgresReader(reading),
    sync: () => shipper.sync(),
    lag: () => shipper.lag(),
    close: () => shipper.close(),
  }
}
