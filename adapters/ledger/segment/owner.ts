import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** The process that writes to a log. */
export interface LogOwner {
  readonly pid: number
}

const LOCK = 'owner.lock'
const NOTE = 'owner.json'
/** A look at the lock by `logOwner` takes it for an instant: that is no second owner. */
const LOCK_WAIT_MS = 300

/**
 * Takes the log for this process, or throws an error that names the process which has it.
 *
 * The lock itself is the kernel's (the RESERVED lock of an empty SQLite file): it falls with its process,
 * however that dies, so it is never stale, and a pid that is used again deceives nobody; it also holds
 * between containers that share a folder but not their process numbers. The note beside it is for people.
 */
export function takeOwnership(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = tryLock(folder, { timeout: LOCK_WAIT_MS })
  if (lock === undefined) {
    const owner = readNote(folder)
    throw new Error(
      `ledger ${folder}: another process writes to it, pid \`${owner?.pid ?? 'unknown'}\`; ` +
        'stop that one first, or give this one a state folder of its own',
    )
  }
  const note: LogOwner = { pid: process.pid }
  writeFileSync(join(folder, NOTE), `${JSON.stringify(note)}\n`, { mode: 0o600 })
  return { release: () => void lock.close() }
}

/** Who writes to the log at this moment; undefined where nobody does. */
export function logOwner(folder: string): LogOwner | undefined {
  let lock: Database.Database | undefined
  try {
    lock = tryLock(folder, { timeout: 0, fileMustExist: true })
  } catch {
    return undefined
  }
  if (lock === undefined) return readNote(folder) ?? { pid: 0 }
  lock.close()
  return undefined
}

/** An open transaction is the lock; undefined where another connection has it. */
function tryLock(folder: string, options: Database.Options): Database.Database | undefined {
  const lock = new Database(join(folder, LOCK), options)
  try {
    lock.exec('BEGIN IMMEDIATE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
    throw error
  }
}

function readNote(folder: string): LogOwner | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(join(folder, NOTE), 'utf8'))
    return isOwner(note) ? note : undefined
  } catch {
    return undefined
  }
}

function isOwner(note: unknown): note is LogOwner {
  return typeof note === 'object' && note !== null && 'pid' in note && typeof note.pid === 'number'
}
