import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../segment/file.ts'
import { readCheckpoint, type CheckpointText } from './text.ts'

const NAME = 'checkpoints.txt'
/** The last note is looked for in so many bytes; ours have some 250. */
const TAIL_BYTES = 16 * 1024
const EMPTY_LINE = '\n\n'
const SIGNED = Buffer.from('— ')

/** A note of a writer's file, and the byte behind it and its empty line. */
export interface KeptNote {
  readonly note: string
  readonly end: number
}

/** A writer's checkpoints: notes one behind the other, an empty line between them. */
export function checkpointPath(folder: string, writer: string): string {
  return join(folder, writer, NAME)
}

/** The last whole note of a writer, whoever signed it; undefined where there is none. What a crash cut off is no note. */
export function lastNote(folder: string, writer: string): KeptNote | undefined {
  let fd: number
  try {
    fd = openSync(checkpointPath(folder, writer), 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { size } = fstatSync(fd)
    const from = Math.max(0, size - TAIL_BYTES)
    const bytes = Buffer.alloc(size - from)
    readSync(fd, bytes, 0, bytes.length, from)
    const found = lastIn(bytes)
    return found && { note: found.note, end: from + found.end }
  } finally {
    closeSync(fd)
  }
}

/** What the last note of a writer says; whether its signature is right is not looked at. */
export function lastCheckpoint(folder: string, writer: string): CheckpointText | undefined {
  const kept = lastNote(folder, writer)
  return kept && readCheckpoint(kept.note.slice(0, kept.note.lastIndexOf('\n\n') + 1))
}

/** Text and signatures are parted by an empty line, as notes are: the last part that holds signatures ends the last note. */
function lastIn(bytes: Buffer): KeptNote | undefined {
  const startOf = (end: number) => bytes.subarray(0, end).lastIndexOf(EMPTY_LINE)
  for (let end = startOf(bytes.length), start; end !== -1; end = start) {
    start = startOf(end)
    if (
      start === -1 ||
      !bytes
        .subarray(start + 2)
        .subarray(0, SIGNED.length)
        .equals(SIGNED)
    )
      continue
    const begin = startOf(start)
    return {
      note: bytes.toString('utf8', begin === -1 ? 0 : begin + 2, end + 1),
      end: end + EMPTY_LINE.length,
    }
  }
  return undefined
}

/**
 * Puts a note behind the byte `end` of a writer's file, or at its end where it has become shorter, and makes it durable.
 * Returns the byte behind it.
 */
export async function appendNote(
  folder: string,
  writer: string,
  { note, end }: KeptNote,
): Promise<number> {
  const path = checkpointPath(folder, writer)
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  const bytes = Buffer.from(`${note}\n`)
  try {
    const at = Math.min(end, (await handle.stat()).size)
    // What an earlier try left behind its error is no note.
    await handle.truncate(at)
    for (let done = 0; done < bytes.length;) {
      const rest = bytes.length - done
      done += (await handle.write(bytes, done, rest, at + done)).bytesWritten
    }
    await handle.datasync()
    if (at === 0) await syncFolder(dirname(path))
    return at + bytes.length
  } finally {
    await handle.close()
  }
}
