import type Database from 'better-sqlite3'
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** So many files are removed under one lock. */
const BATCH = 100

/** The files that hold larger bodies, each under its SHA-256. */
export interface Blobs {
  /** Gives a synced file its lasting name. Called within the transaction of the row that needs it. */
  place(file: string, blob: string): void
  /** Remembers, durably with the transaction, to look whether a file is still needed. */
  suspect(blob: string): void
  /** Removes some of the files that no row needs. True where there may be more. */
  collect(): boolean
}

/**
 * A file is placed before the row that needs it is committed, and removed after the last such row is gone; both under
 * the database's write lock, so that whoever removes a file knows of every row, in this process or another.
 */
export function createBlobs(db: Database.Database, pathOf: (blob: string) => string): Blobs {
  const suspect = db.prepare<[string]>('INSERT OR IGNORE INTO garbage VALUES (?)')
  const suspects = db
    .prepare<[], string>(`SELECT blob FROM garbage ORDER BY blob LIMIT ${BATCH}`)
    .pluck()
  const forget = db.prepare<[string]>('DELETE FROM garbage WHERE blob = ?')
  const needed = db
    .prepare<[string], number>('SELECT 1 FROM objects WHERE blob = ? LIMIT 1')
    .pluck()
  const collect = db.transaction((): boolean => {
    const found = suspects.all()
    for (const blob of found) {
      if (needed.get(blob) === undefined) rmSync(pathOf(blob), { force: true })
      forget.run(blob)
    }
    return found.length === BATCH
  })
  return {
    place(file, blob) {
      renameSync(file, pathOf(blob))
      syncFolder(dirname(pathOf(blob)))
    },
    suspect: (blob) => void suspect.run(blob),
    collect: () => collect.immediate(),
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
