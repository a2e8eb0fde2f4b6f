/** What one channel of the database tells. */
export interface ChannelEvents {
  /** Somebody announced a change. */
  news(): void
  /** The channel is listened to from now on; what was announced before may have been missed. */
  up(): void
  /** The channel is lost; it is tried again by itself. */
  down(): void
}

/** A PostgreSQL database, as the drivers of other ports use it. */
export interface Database {
  /**
   * Runs one statement with its parameters. Rejects with a text that says what to do, never with a secret; after
   * a deadline (two seconds, unless it was opened with another) it rejects whatever the server does, and the
   * statement's fate is unknown.
   */
  query<Row extends object>(
    text: string,
    values: readonly (string | number | Uint8Array | null)[],
  ): Promise<readonly Row[]>
  /** Listens on a connection of its own, until the database is closed. */
  listen(events: ChannelEvents): void
  close(): Promise<void>
}

/** A database that may not be there yet. */
export interface LateDatabase extends Database {
  /** Makes or migrates the gateway's own schema. Rejects where it cannot be reached, or was made by a newer version. */
  migrated(): Promise<void>
}
