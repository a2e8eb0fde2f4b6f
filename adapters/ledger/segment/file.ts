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
  /**
   * Writes all bytes at the end, or throws with some of them written. Where each write syncs, they are then durable,
   * if all before them were.
   */
  write(bytes: Buffer, syncing: Syncing): Promise<void>
  /** Makes what was written durable. After it has thrown once, it must not be asked again: see `cut`. */
  sync(): Promise<void>
  /**
   * Ends a segment whose write or sync failed: takes off whatever is not known to be durable.
   * A failed sync is never tried again, since the kernel may have dropped the pages and then reports success.
   */
  cut(): Promise<void>
  /** Takes away the right to write: a later segment exists. */
  seal(): Promise<void>
  close(): Promise<void>
}

/**
 * When writes become durable: each by itself (O_DSYNC, one call where a write and an fdatasync are two), or when it is
 * asked for.
 */
export type Syncing = 'each' | 'asked'

/** The rights of a segment that nothing is written to any more. */
export const SEALED = 0o400

/** Goes on in a segment that recovery has checked. */
export async function reopenSegment(path: string, size: number): Promise<SegmentFile> {
  return segmentFile(path, { ...(await openBoth(path, constants.O_RDWR)), size })
}

/** Elsewhere O_DSYNC is missing (Windows), or leaves the bytes in the drive's own memory (macOS). */
const WRITES_CAN_SYNC = process.platform === 'linux'

interface Handles {
  readonly handle: FileHandle
  /** Its writes sync; undefined where the system has no such thing. */
  readonly syncing: FileHandle | undefined
}

async function openBoth(path: string, flags: number): Promise<Handles> {
  const handle = await open(path, flags, 0o600)
  try {
    const both = constants.O_RDWR | constants.O_DSYNC
    return { handle, syncing: WRITES_CAN_SYNC ? await open(path, both) : undefined }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Begins a segment: its header is durable, and so is its name, when this resolves. */
export async function createSegment(
  path: string,
  header: { readonly writer: string; readonly end: ChainEnd; readonly opened: string },
): Promise<{ readonly file: SegmentFile; readonly hash: string }> {
  // What a failed try left behind under this name was never promised to anybody, and would break the chain.
  await rm(path, { force: true })
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL
  const file = segmentFile(path, { ...(await openBoth(path, flags)), size: 0 })
  try {
    const { bytes, hash } = headerLine(header)
    await file.write(bytes, 'each')
    await file.sync()
    await syncFolder(dirname(path))
    return { file, hash }
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}

function segmentFile(path: string, state: Handles & { readonly size: number }): SegmentFile {
  const { handle, syncing } = state
  let { size } = state
  let durable = size
  /** Something was written that no write has synced. */
  let isDirty = false
  return {
    path,
    size: () => size,
    async write(bytes, how) {
      const by = how === 'each' ? (syncing ?? handle) : handle
      isDirty ||= by === handle
      let done = 0
      while (done < bytes.length) {
        const { bytesWritten } = await by.write(bytes, done, bytes.length - done, size)
        if (bytesWritten === 0) throw new Error(`segment ${path}: the disk takes no more bytes`)
        done += bytesWritten
        size += bytesWritten
      }
    },
    async sync() {
      const upTo = size
      if (isDirty) await handle.datasync()
      isDirty = false
      durable = upTo
    },
    async cut() {
      await handle.truncate(durable)
      await handle.sync()
      size = durable
      isDirty = false
    },
    async seal() {
      await handle.chmod(SEALED)
    },
    async close() {
      await syncing?.close()
      await handle.close()
    },
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
