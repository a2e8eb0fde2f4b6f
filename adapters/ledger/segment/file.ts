import { constants } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PREFIX_BYTES, sealLine } from './chain.ts'
import type { ChainEnd } from './encoder.ts'

/** A segment that is being written. Calls must not overlap. */
export interface SegmentFile {
  readonly path: string
  /** Bytes written, durable or not. */
  size(): number
  /** Writes all bytes at the end, or throws with some of them written. Where each write syncs, they are then durable. */
  write(bytes: Buffer): Promise<void>
  /** Makes what was written durable. After it has thrown once, it must not be asked again: see `cut`. */
  sync(): Promise<void>
  /**
   * Ends a segment whose write or sync failed: takes off whatever is not known to be durable.
   * A failed sync is never tried again, since the kernel may have dropped the pages and then reports success.
   */
  cut(): Promise<void>
  close(): Promise<void>
}

/**
 * When writes become durable: each by itself (O_DSYNC, one call where a write and an fdatasync are two), or when it is
 * asked for.
 */
export type Syncing = 'each' | 'asked'

/** Goes on in a segment that recovery has checked. */
export async function reopenSegment(
  path: string,
  size: number,
  syncing: Syncing,
): Promise<SegmentFile> {
  const handle = await open(path, constants.O_RDWR | flagOf(syncing))
  return segmentFile(path, { handle, size, syncing })
}

function flagOf(syncing: Syncing): number {
  return syncing === 'each' ? constants.O_DSYNC : 0
}

/** Begins a segment: its header is durable, and so is its name, when this resolves. */
export async function createSegment(
  path: string,
  header: { readonly writer: string; readonly end: ChainEnd; readonly opened: string },
  syncing: Syncing,
): Promise<{ readonly file: SegmentFile; readonly hash: string }> {
  // What a failed try left behind under this name was never promised to anybody, and would break the chain.
  await rm(path, { force: true })
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | flagOf(syncing)
  const handle = await open(path, flags, 0o600)
  const file = segmentFile(path, { handle, size: 0, syncing })
  try {
    const { bytes, hash } = headerLine(header)
    await file.write(bytes)
    await file.sync()
    await syncFolder(dirname(path))
    return { file, hash }
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}

function segmentFile(
  path: string,
  state: { readonly handle: FileHandle; readonly size: number; readonly syncing: Syncing },
): SegmentFile {
  const { handle, syncing } = state
  let { size } = state
  let durable = size
  return {
    path,
    size: () => size,
    async write(bytes) {
      let done = 0
      while (done < bytes.length) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, size)
        if (bytesWritten === 0) throw new Error(`segment ${path}: the disk takes no more bytes`)
        done += bytesWritten
        size += bytesWritten
      }
    },
    async sync() {
      const upTo = size
      if (syncing === 'each') return void (durable = upTo)
      await handle.datasync()
      durable = upTo
    },
    async cut() {
      await handle.truncate(durable)
      await handle.sync()
      size = durable
    },
    close: () => handle.close(),
  }
}

function headerLine(header: {
  readonly writer: string
  readonly end: ChainEnd
  readonly opened: string
}): { bytes: Buffer; hash: string } {
  const { writer, end, opened } = header
  const record = { kind: 'segment', writer, n: 0, first: end.n + 1, prev: end.hash, opened }
  const bytes = Buffer.from(`${' '.repeat(PREFIX_BYTES)}${JSON.stringify(record)}\n`)
  const hash = sealLine(bytes, 0, { previous: end.hash, end: bytes.length - 1 })
  return { bytes, hash }
}

/** Makes a folder's entries durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
