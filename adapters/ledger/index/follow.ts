import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerRecord } from '../port.ts'
import { chainHash, splitLine, ZERO_HASH } from '../segment/chain.ts'
import { segmentNumbers, segmentPath, writerNames } from '../segment/layout.ts'
import { readLines, type Line } from '../segment/lines.ts'

/** A record that was read from the log. */
export interface ReadRecord {
  /** Its JSON text, which is what indexes keep. */
  readonly json: string
  /** The same text, parsed. */
  readonly value: LedgerRecord
}

/** How far a writer's log is indexed. */
export interface Position {
  readonly name: string
  segment: number
  next: number
  line: number
  n: number
  hash: string
  fault: string | null
}

export function beginning(name: string): Position {
  return { name, segment: 0, next: 0, line: 0, n: 0, hash: ZERO_HASH, fault: null }
}

/** How far a writer's log is read. */
interface Bounds {
  /** Number of the last record that counts. */
  readonly n: number
  /** Gets each record, headers of segments included; false where there is no room for another. */
  take(record: ReadRecord): boolean
}

/**
 * Reads the records of a writer behind a position and moves the position on, up to the bounds, the end of the log, or
 * a place where the chain breaks: that is noted in the position.
 */
export function readBehind(folder: string, position: Position, bounds: Bounds): void {
  // Listed before reading: a segment that has a follower now gets no more lines.
  const numbers = segmentNumbers(join(folder, position.name))
  for (const number of numbers.filter((each) => each >= position.segment)) {
    if (number > position.segment) Object.assign(position, { segment: number, next: 0, line: 0 })
    if (!readSegment(folder, position, bounds)) return
  }
}

/** False where the rest of the log has to wait. */
function readSegment(folder: string, position: Position, bounds: Bounds): boolean {
  const fd = openSync(segmentPath(folder, position.name, position.segment), 'r')
  try {
    for (const line of readLines(fd, position.next)) {
      const record = readRecord(line, position)
      if (typeof record === 'string') {
        position.fault = faultOf(position, { offset: line.offset, what: record })
        return false
      }
      const { kind, n } = record.value
      if (typeof n === 'number' && n > bounds.n) return false
      position.next = line.next
      position.line = line.offset
      position.hash = record.hash
      if (kind !== 'segment') position.n += 1
      if (!bounds.take(record)) return false
    }
    return true
  } finally {
    closeSync(fd)
  }
}

function faultOf(
  { name: writer, segment, n }: Position,
  found: { readonly offset: number; readonly what: string },
): string {
  return JSON.stringify({ writer, segment, record: n + 1, ...found })
}

/** The record of a line, or what is wrong with the line. */
function readRecord(
  line: Line,
  position: Position,
): (ReadRecord & { readonly hash: string }) | string {
  const parts = splitLine(line.bytes)
  if (parts === undefined) return 'the line is not a hash, a space and a record'
  if (chainHash(position.hash, parts.json) !== parts.hash) return 'the hash does not fit'
  const json = parts.json.toString('utf8')
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null || !('n' in value))
    return 'the record has no number'
  const due = 'kind' in value && value.kind === 'segment' ? 0 : position.n + 1
  return value.n === due
    ? { json, value: value as LedgerRecord, hash: parts.hash }
    : `the record has the number \`${String(value.n)}\``
}

/** Whether the log still holds the line at which the index stands; false asks for a new index. */
export function isHeld(folder: string, position: Position): boolean {
  if (position.next === 0) return true
  let fd: number | undefined
  try {
    fd = openSync(segmentPath(folder, position.name, position.segment), 'r')
    const claimed = Buffer.alloc(64)
    readSync(fd, claimed, 0, 64, position.line)
    return fstatSync(fd).size >= position.next && claimed.toString('latin1') === position.hash
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Older writers first, so that an index that is made again gives the same sequence. */
export function writersByAge(folder: string): readonly string[] {
  const names = writerNames(folder)
  return names.length < 2
    ? names
    : [...names].sort((a, b) => (openedOf(folder, a) < openedOf(folder, b) ? -1 : 1))
}

function openedOf(folder: string, writer: string): string {
  const first = segmentNumbers(join(folder, writer))[0]
  if (first === undefined) return '~'
  const fd = openSync(segmentPath(folder, writer, first), 'r')
  try {
    for (const line of readLines(fd, 0)) {
      const { opened } = JSON.parse(line.bytes.toString('utf8', 65)) as { opened?: unknown }
      return String(opened)
    }
    return '~'
  } catch {
    // A damaged header: its writer comes last, and the fault is found when its line is read.
    return '~'
  } finally {
    closeSync(fd)
  }
}
