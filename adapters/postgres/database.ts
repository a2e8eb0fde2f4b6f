import postgres from 'postgres'
import { readDatabaseAddress, type DatabaseAddress } from './address.ts'
import { keepListening, type ClientHooks } from './channel.ts'
import { migrate, versionOf } from './migrate.ts'
import type { Database, LateDatabase } from './port.ts'
import { MIGRATIONS } from './schema.ts'

const DEADLINE_MS = 2000
const CONNECT_SECONDS = 2
/** The server gives up before we do, so that the fate of a slow statement is known. */
const SERVER_SHARE = 0.75
/** Connections that hang are replaced, but not by every statement that finds them so. */
const RENEW_MS = 10_000
const RETRY_SECONDS = 0.2
const APPLICATION = 'narrowgate'

type Client = postgres.Sql

export interface DatabaseOptions {
  /** A connection URI; a secret. */
  readonly url: string
  /** Most connections for statements at one time. */
  readonly connections: number
  /** After so many milliseconds a statement is given up. @default 2000 */
  readonly deadlineMs?: number
  /** `once`: for statements whose texts have no end; no connection keeps them. @default prepared */
  readonly statements?: 'prepared' | 'once'
}

/**
 * Names a database without asking for it: each statement finds out whether it is there.
 * @throws Error whose text shows nothing of the address but names of parameters
 */
export function nameDatabase(options: DatabaseOptions): LateDatabase {
  return createDatabase(readDatabaseAddress(options.url), options)
}

/**
 * Opens a database, and makes or migrates the gateway's own schema in it.
 * @throws Error where it cannot be reached, or was made by a newer version
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = nameDatabase(options)
  try {
    await database.migrated()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** What is found where a database is looked at. */
export interface DatabaseState {
  /** The server's own name for its version. */
  readonly server: string
  /** Version of the gateway's schema; 0 where there is none yet. */
  readonly schema: number
  /** Version that this gateway makes. */
  readonly wanted: number
}

/** Looks at a database without changing it. Rejects where it cannot be reached, or was made by a newer version. */
export async function examineDatabase(url: string): Promise<DatabaseState> {
  const address = readDatabaseAddress(url)
  const client = createClient(address, { max: 1 })
  const look = async () => {
    const [row] = await client<{ server_version: string }[]>`SHOW server_version`
    const schema = await versionOf(client)
    return { server: row?.server_version ?? '', schema, wanted: MIGRATIONS.length }
  }
  try {
    return await within(DEADLINE_MS, look(), () => {}).catch(unavailable(address))
  } finally {
    await end(client)
  }
}

function createDatabase(
  address: DatabaseAddress,
  { connections, deadlineMs = DEADLINE_MS, statements = 'prepared' }: DatabaseOptions,
): LateDatabase {
  const open = () => createClient(address, { max: connections, deadlineMs })
  const prepare = statements === 'prepared'
  let client = open()
  let renewed = 0
  const channels: { close(): Promise<void> }[] = []
  const renew = () => {
    if (performance.now() - renewed < RENEW_MS) return
    renewed = performance.now()
    const hanging = client
    client = open()
    void end(hanging)
  }
  return {
    migrated: () => within(DEADLINE_MS * 5, migrate(client), () => {}).catch(unavailable(address)),
    query<Row extends object>(
      text: string,
      values: readonly (string | number | Uint8Array | null)[],
    ): Promise<readonly Row[]> {
      const running = client.unsafe<Row[]>(text, [...values], { prepare })
      return within<readonly Row[]>(deadlineMs, running, renew).catch(unavailable(address))
    },
    listen(events: Parameters<Database['listen']>[0]): void {
      channels.push(keepListening((hooks) => createClient(address, { max: 1, ...hooks }), events))
    },
    async close(): Promise<void> {
      await Promise.all([end(client), ...channels.map((channel) => channel.close())])
    },
  }
}

interface ClientOptions extends ClientHooks {
  readonly max: number
  readonly deadlineMs?: number
}

function createClient(
  { host, port, user, password, database, tls }: DatabaseAddress,
  { deadlineMs = DEADLINE_MS, ...options }: ClientOptions,
): Client {
  return postgres({
    host,
    port,
    // The library takes a host with a slash for a folder only within an address.
    ...(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : {}),
    user,
    password,
    database,
    // The library names no host for an address, and Node would then compare the certificate with `localhost`.
    ssl: tls && { ...tls, host },
    connect_timeout: CONNECT_SECONDS,
    backoff: () => RETRY_SECONDS,
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: APPLICATION,
      statement_timeout: Math.round(deadlineMs * SERVER_SHARE),
      // Counting relies on seeing what others committed in between.
      default_transaction_isolation: 'read committed',
    },
    ...options,
  })
}

async function end(client: Client): Promise<void> {
  // What still runs after a second belongs to a server that does not answer.
  await client.end({ timeout: 1 }).catch(() => undefined)
}

async function within<T>(ms: number, work: Promise<T>, late: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let settled = false
  const deadline = new Promise<never>((_, reject) => {
    const giveUp = () => {
      if (settled) return
      late()
      reject(new Error(`no answer within ${ms} ms`))
    }
    // Where this process itself was busy, the answer may lie in the socket: it is read before the immediate.
    timer = setTimeout(() => setImmediate(giveUp), ms)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    settled = true
    clearTimeout(timer)
  }
}

/** A database that did not answer as it should; its text is made for people, and holds no secret. */
class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

function unavailable({ host, port, database }: DatabaseAddress): (cause: unknown) => never {
  return (cause) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseUnavailable(
      `database \`${database}\` at ${host}:${port}: ${why}; check that it runs and lets the gateway in`,
      { cause },
    )
  }
}
