import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'

/** Numbered steps; what has been released is never edited, only followed by a new one. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE writers (
    name    TEXT PRIMARY KEY,
    segment INTEGER NOT NULL,
    next    INTEGER NOT NULL, -- offset of the first byte that is not indexed
    line    INTEGER NOT NULL, -- offset of the last line that is indexed
    n       INTEGER NOT NULL,
    hash    TEXT NOT NULL,
    fault   TEXT              -- JSON: where the chain breaks, if it does
  ) STRICT;
  CREATE TABLE receipts (
    seq     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL,
    opened  TEXT,
    outcome TEXT NOT NULL,
    tool    TEXT,
    task    TEXT,
    "grant" TEXT,
    code    TEXT,
    host    TEXT,
    intent  TEXT NOT NULL, -- the records as the log has them
    result  TEXT
  ) STRICT;
  CREATE INDEX receipts_id ON receipts (id);
  CREATE INDEX receipts_task ON receipts (task);
  CREATE INDEX receipts_grant ON receipts ("grant");
  CREATE INDEX receipts_outcome ON receipts (outcome);
  CREATE TABLE unclosed (  -- the exchanges whose outcome is still to come
    writer  TEXT NOT NULL,
    n       INTEGER NOT NULL, -- of the intent
    seq     INTEGER NOT NULL,
    PRIMARY KEY (writer, n)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE events (seq INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT;
  CREATE TABLE sequence (last INTEGER NOT NULL) STRICT;
  INSERT INTO sequence VALUES (0);
  `,
  // In which order exchanges were closed is in the log alone, so the index is made again from it.
  `
  CREATE TABLE feed (
    position INTEGER PRIMARY KEY, -- without gaps, in the order in which the indexer met what closed things
    writer   TEXT NOT NULL,       -- of the record that closed it
    n        INTEGER NOT NULL,
    seq      INTEGER NOT NULL     -- of the receipt or event
  ) STRICT;
  DELETE FROM writers; DELETE FROM receipts; DELETE FROM unclosed; DELETE FROM events;
  UPDATE sequence SET last = 0;
  `,
  // The columns of the views; what they hold is read from the log again.
  `
  DROP TABLE receipts;
  CREATE TABLE receipts (
    seq      INTEGER PRIMARY KEY,
    id       TEXT NOT NULL,
    opened   TEXT,
    closed   TEXT,
    origin   TEXT,
    door     TEXT,
    peer     TEXT,
    task     TEXT,
    run      TEXT,
    "grant"  TEXT,
    link     TEXT,
    person   TEXT,
    key      TEXT,
    tool     TEXT,
    model    TEXT,
    method   TEXT,
    host     TEXT,
    url      TEXT,
    outcome  TEXT NOT NULL,
    ran      TEXT,
    code     TEXT,
    axis     TEXT,
    axes     TEXT,
    caveat   TEXT,
    status   INTEGER,
    request_bytes   INTEGER,
    response_bytes  INTEGER,
    delivered_bytes INTEGER,
    ms          INTEGER, -- microseconds, as the two below
    upstream_ms INTEGER,
    own_ms      INTEGER,
    times    INTEGER NOT NULL,
    noise    INTEGER NOT NULL,
    shadowed INTEGER NOT NULL,
    policy   TEXT,
    intent   TEXT NOT NULL, -- the records as the log has them
    result   TEXT
  ) STRICT;
  CREATE INDEX receipts_id ON receipts (id);
  CREATE INDEX receipts_opened ON receipts (opened);
  CREATE INDEX receipts_task ON receipts (task);
  CREATE INDEX receipts_grant ON receipts ("grant");
  CREATE INDEX receipts_outcome ON receipts (outcome);
  DELETE FROM writers; DELETE FROM unclosed; DELETE FROM events; DELETE FROM feed;
  UPDATE sequence SET last = 0;
  `,
  // What became of a kept body, by its hash.
  `
  CREATE INDEX IF NOT EXISTS events_erased ON events (json_extract(record, '$.subject'), seq)
    WHERE json_extract(record, '$.event') = 'body_erased';
  `,
]

/** Opens the index for writing, and brings an older one up to date. */
export function openIndexFile(file: string): Database.Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new Database(file, { timeout: 5000 })
  // A row has one to two KiB: of the default pages half would stay empty, and twice as many be written.
  db.pragma('page_size = 8192')
  // The log is the truth: after a power cut the index catches up from what it still has.
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.transaction(() => migrate(db, file)).immediate()
  return db
}

function migrate(db: Database.Database, file: string): void {
  const version = Number(db.pragma('user_version', { simple: true }))
  if (version > MIGRATIONS.length) {
    throw new Error(
      `ledger index ${file}: made by a newer version, schema \`${version}\`; ` +
        'delete the file, it is made again from the log',
    )
  }
  for (const step of MIGRATIONS.slice(version)) db.exec(step)
  db.pragma(`user_version = ${MIGRATIONS.length}`)
}

/** Takes everything out, so that the log can be read again from its beginning. */
export function emptyIndex(db: Database.Database): void {
  db.exec(
    `DELETE FROM writers; DELETE FROM receipts; DELETE FROM unclosed; DELETE FROM events;
     DELETE FROM feed; UPDATE sequence SET last = 0`,
  )
}
