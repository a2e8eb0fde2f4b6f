import Database from 'better-sqlite3'

/** Numbered steps; what has been released is never edited, only followed by a new one. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE objects (
    id       INTEGER PRIMARY KEY,
    bucket   TEXT NOT NULL,
    key      BLOB NOT NULL,    -- UTF-8, so that it is ordered by its bytes
    version  TEXT NOT NULL,
    size     INTEGER NOT NULL,
    etag     TEXT NOT NULL,
    uploaded INTEGER NOT NULL, -- ms since the epoch
    checksums TEXT NOT NULL,   -- JSON, as the two below
    http     TEXT NOT NULL,
    custom   TEXT NOT NULL,
    blob     TEXT,             -- SHA-256 of the file that holds the bytes; NULL: they are in bodies
    UNIQUE (bucket, key)
  ) STRICT;
  CREATE INDEX objects_blob ON objects (blob) WHERE blob IS NOT NULL;
  -- Apart from the rows, so that a listing passes them by.
  CREATE TABLE bodies (
    object INTEGER PRIMARY KEY REFERENCES objects (id) ON DELETE CASCADE, bytes BLOB NOT NULL
  ) STRICT;
  -- Files that may have no row any more, or not yet.
  CREATE TABLE garbage (blob TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
]

/** Opens the file of the objects, and brings an older one up to date. */
export function openObjectsFile(file: string): Database.Database {
  const db = new Database(file, { timeout: 5000 })
  db.pragma('journal_mode = WAL')
  // Who was told that an object is stored relies on it.
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.transaction(() => migrate(db, file)).immediate()
  return db
}

function migrate(db: Database.Database, file: string): void {
  const version = Number(db.pragma('user_version', { simple: true }))
  if (version > MIGRATIONS.length)
    throw new Error(
      `objects ${file}: made by a newer version, schema \`${version}\`; start a newer gateway`,
    )
  for (const step of MIGRATIONS.slice(version)) db.exec(step)
  db.pragma(`user_version = ${MIGRATIONS.length}`)
}
