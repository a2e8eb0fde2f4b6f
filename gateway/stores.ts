import { openEmbeddedGrants } from '../adapters/grants/embedded.ts'
import type { Grants } from '../adapters/grants/port.ts'
import { openPostgresGrants } from '../adapters/grants/postgres.ts'
import { openOfflinePostgresIndex } from '../adapters/ledger/postgres/offline.ts'
import { openPostgresIndex, type PostgresIndexOptions } from '../adapters/ledger/postgres/open.ts'
import type { LedgerIndex } from '../adapters/ledger/port.ts'
import {
  examineDatabase,
  nameDatabase,
  openDatabase,
  type DatabaseState,
} from '../adapters/postgres/database.ts'
import { openEmbeddedUses } from '../adapters/uses/embedded.ts'
import { openPostgresUses } from '../adapters/uses/postgres.ts'
import type { UseCounters } from '../policy/index.ts'
import type { GrantsConfig } from './config/types.ts'
import type { DatabaseFiles } from './state/paths.ts'

/** Statements at one time of one gateway; the counters are what calls wait for. */
const GRANT_CONNECTIONS = 2
const USE_CONNECTIONS = 4
/** One batch of a log comes after the other; questions to the ledger may take longer than anything else. */
const SHIP_CONNECTIONS = 1
const QUESTION_CONNECTIONS = 3
const QUESTION_MS = 30_000

/** Where a store lies, whatever the configuration's driver is. */
export interface StorePlace {
  readonly config: GrantsConfig
  /** The file of the embedded store. */
  readonly file: string
  /** Gives the address of the database. */
  url(): Promise<string> | string
}

/** Opens both for a gateway; each is closed with the rest as soon as it is open. Rejects where one cannot be reached. */
export async function openStores(
  place: Omit<StorePlace, 'file'> & { readonly files: Pick<DatabaseFiles, 'grants' | 'uses'> },
  closers: (() => Promise<void> | void)[],
): Promise<{ readonly grants: Grants; readonly uses: UseCounters }> {
  const grants = await openGrants({ ...place, file: place.files.grants })
  closers.push(() => grants.close())
  const uses = await openUses({ ...place, file: place.files.uses })
  closers.push(() => uses.close())
  return { grants, uses }
}

/** Opens grants, revocations and leashes. Rejects where they cannot be reached. */
export async function openGrants({ config, file, url }: StorePlace): Promise<Grants> {
  if (config.driver === 'embedded') return openEmbeddedGrants({ file })
  const database = await openDatabase({ url: await url(), connections: GRANT_CONNECTIONS })
  const { staleMs } = config
  const grants = await closingOnFault(database, openPostgresGrants({ database, staleMs }))
  return {
    ...grants,
    async close() {
      await grants.close()
      await database.close()
    },
  }
}

/** Opens the counters of uses. Rejects where they cannot be reached. */
export async function openUses({
  config,
  file,
  url,
}: StorePlace): Promise<UseCounters & { close(): Promise<void> | void }> {
  if (config.driver === 'embedded') return openEmbeddedUses({ file })
  const database = await openDatabase({ url: await url(), connections: USE_CONNECTIONS })
  return { ...openPostgresUses({ database }), close: () => database.close() }
}

/** Looks at the database of grants without changing it; undefined for the embedded store. */
export async function examineGrants({
  config,
  url,
}: Omit<StorePlace, 'file'>): Promise<DatabaseState | undefined> {
  return config.driver === 'embedded' ? undefined : examineDatabase(await url())
}

/**
 * Opens the index of the ledger in a database, whether or not that is there.
 * @throws Error where the address is none
 */
export function openTeamIndex({
  url,
  ...options
}: Omit<PostgresIndexOptions, 'database' | 'reading'> & { readonly url: string }): LedgerIndex {
  return withDatabases(url, (databases) => openPostgresIndex({ ...options, ...databases }))
}

/** The same for a command, beside a gateway or without one. */
export function openOfflineTeamIndex(url: string, folder: string): LedgerIndex {
  return withDatabases(url, (databases) => openOfflinePostgresIndex({ folder, ...databases }))
}

/** An index that is closed together with its databases: one for writing, one for questions. */
function withDatabases(
  url: string,
  open: (databases: Pick<PostgresIndexOptions, 'database' | 'reading'>) => LedgerIndex,
): LedgerIndex {
  const database = nameDatabase({ url, connections: SHIP_CONNECTIONS })
  const reading = nameDatabase({
    url,
    connections: QUESTION_CONNECTIONS,
    deadlineMs: QUESTION_MS,
    statements: 'once',
  })
  const index = open({ database, reading })
  return {
    ...index,
    async close() {
      await index.close()
      await Promise.all([database.close(), reading.close()])
    },
  }
}

/** Looks at the database of the ledger's index without changing it. */
export function examineIndex(url: string): Promise<DatabaseState> {
  return examineDatabase(url)
}

async function closingOnFault<T>(
  database: { close(): Promise<void> },
  opening: Promise<T>,
): Promise<T> {
  try {
    return await opening
  } catch (error) {
    await database.close()
    throw error
  }
}
