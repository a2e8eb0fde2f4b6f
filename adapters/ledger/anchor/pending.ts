import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { checkpointPath } from '../checkpoint/file.ts'
import { readCheckpoint } from '../checkpoint/text.ts'
import { segmentNumbers, segmentPath } from '../segment/layout.ts'
import { isRetired } from '../segment/writers.ts'

const NAME = 'anchored.json'
/** Notes are read so many bytes at a time; ours have some 250. */
const NOTES_BYTES = 256 * 1024
const EMPTY_LINE = '\n\n'

/** How far a writer's log is anchored. It is a hint: what is sent twice is found to be there. */
export interface Anchored {
  /** Bytes of its checkpoint file. */
  readonly notes: number
  /** Number of the last segment. */
  readonly segment: number
}

/** Something that is to be anchored. */
export interface Pending {
  /** Under this name, below the writer's. */
  readonly key: string
  /** The bytes themselves, or the file that holds them. */
  readonly content: { readonly text: string } | { readonly file: string }
  /** How far the log is anchored once this is. */
  readonly afterwards: Anchored
}

export function readAnchored(folder: string, writer: string): Anchored {
  const path = join(folder, writer, NAME)
  const none = { notes: 0, segment: 0 }
  if (!existsSync(path)) return none
  try {
    const note: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isAnchored(note) ? note : none
  } catch {
    return none
  }
}

export function writeAnchored(folder: string, writer: string, anchored: Anchored): void {
  const path = join(folder, writer, NAME)
  writeFileSync(`${path}.new`, JSON.stringify(anchored), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** The segments that are not anchored and that nothing is written to any more, in order. */
export function pendingSegments(
  folder: string,
  writer: string,
  done: Anchored,
): readonly Pending[] {
  const all = segmentNumbers(join(folder, writer))
  const sealed = isRetired(folder, writer) ? all : all.slice(0, -1)
  return sealed
    .filter((number) => number > done.segment)
    .map((segment) => {
      const file = segmentPath(folder, writer, segment)
      return {
        key: `segments/${file.slice(-12)}`,
        content: { file },
        afterwards: { ...done, segment },
      }
    })
}

/** Some of the checkpoints that are not anchored, in order. */
export async function pendingNotes(
  folder: string,
  writer: string,
  done: Anchored,
): Promise<readonly Pending[]> {
  const path = checkpointPath(folder, writer)
  if (!existsSync(path)) return []
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    // A file that was begun again has nothing behind where the former one ended.
    const from = done.notes <= size ? done.notes : 0
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(NOTES_BYTES), 0, NOTES_BYTES, from)
    return notesIn(buffer.subarray(0, bytesRead), { ...done, notes: from })
  } finally {
    await handle.close()
  }
}

function notesIn(bytes: Buffer, done: Anchored): readonly Pending[] {
  const found: Pending[] = []
  for (let start = 0; ;) {
    const middle = bytes.indexOf(EMPTY_LINE, start)
    const end = middle === -1 ? -1 : bytes.indexOf(EMPTY_LINE, middle + EMPTY_LINE.length)
    if (end === -1) return found
    const text = bytes.toString('utf8', start, end + 1)
    const said = readCheckpoint(bytes.toString('utf8', start, middle + 1))
    start = end + EMPTY_LINE.length
    // What is no checkpoint is left where it is: the verifier names it.
    if (said === undefined) continue
    const key = `checkpoints/${String(said.size).padStart(16, '0')}`
    found.push({ key, content: { text }, afterwards: { ...done, notes: done.notes + start } })
  }
}

function isAnchored(note: unknown): note is Anchored {
  const { notes, segment } = (note ?? {}) as Partial<Record<keyof Anchored, unknown>>
  return Number.isSafeInteger(notes) && Number.isSafeInteger(segment)
}
