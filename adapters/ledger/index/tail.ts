import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import type { Head, LedgerRecord } from '../port.ts'
import { chainHash, splitLine, ZERO_HASH } from '../segment/chain.ts'
import { segmentNumbers, segmentPath, writerNames } from '../segment/layout.ts'
import { readLines, type Line } from '../segment/lines.ts'
import { emptyIndex } from './schema.ts'
import { createRecordWriter, type ReadRecord, type RecordBatch } from './writing.ts'

/** One step indexes so many records at most, so that queries get their turn in between. */
const STEP_RECORDS = 2000

/** How far a writer's log is indexed. */
interface Position {
  readonly name: string
  segment: number
  next: number
  line: number
  n: number
  hash: string
  fault: string | null
}

export interface Progress {
  /** More was found than one step takes. */
  readonly more: boolean
  /** Number of the last indexed record of each writer. */
  readonly indexed: Readonly<Record<string, number>>
  /** Writers whose chain breaks; they are indexed up to there. */
  readonly faults: readonly string[]
}

/** Brings the index up to the log. */
export interface Tail {
  /** `durable`: nothing of this writer beyond that number is indexed yet. Without it all whole lines count. */
  step(durable?: Head): Progress
}

/**
 * Reads a log's segments behind what the index has. Each step is one transaction that begins with the stored
 * position, so any number of processes may do it at once.
 */
export function createTail(db: Database.Database, folder: string): Tail {
  const beginBatch = createRecordWriter(db)
  const select = db.prepare<[string], Position>('SELECT * FROM writers WHERE name = ?')
  const names = db.prepare<[], string>('SELECT name FROM writers').pluck()
  const save = db.prepare(
    `INSERT INTO writers (name, segment, next, line, n, hash, fault)
     VALUES (@name, @segment, @next, @line, @n, @hash, @fault)
     ON CONFLICT (name) DO UPDATE SET segment = excluded.segment, next = excluded.next, line = excluded.line,
       n = excluded.n, hash = excluded.hash, fault = excluded.fault`,
  )

  const advance = (position: Position, share: Share): void => {
    // Listed before reading: a segment that has a follower now gets no more lines.
    const numbers = segmentNumbers(join(folder, position.name))
    for (const number of numbers.filter((each) => each >= position.segment)) {
      if (number > position.segment) Object.assign(position, { segment: number, next: 0, line: 0 })
      if (!readSegment(position, share)) return
    }
  }

  /** False where the rest of the log has to wait. */
  const readSegment = (position: Position, share: Share): boolean => {
    const fd = openSync(segmentPath(folder, position.name, position.segment), 'r')
    try {
      for (const line of readLines(fd, position.next)) {
        if (share.records === 0) return false
        const record = readRecord(line, position)
        if (typeof record === 'string') {
          position.fault = faultOf(position, { offset: line.offset, what: record })
          return false
        }
        const { kind, n } = record.value
        if (typeof n === 'number' && n > share.n) return false
        share.records -= 1
        share.batch.add(record)
        position.next = line.next
        position.line = line.offset
        position.hash = record.hash
        if (kind !== 'segment') position.n += 1
      }
      return true
    } finally {
      closeSync(fd)
    }
  }

  const step = db.transaction((durable: Head | undefined): Progress => {
    const writers = writersByAge(folder)
    const positions = writers.map((name) => select.get(name) ?? begin(name))
    const known = names.all()
    if (
      !known.every((name) => writers.includes(name)) ||
      !positions.every((position) => isHeld(folder, position))
    ) {
      emptyIndex(db)
      positions.splice(0, positions.length, ...writers.map(begin))
    }
    let records = STEP_RECORDS
    for (const position of positions.filter(({ fault }) => fault === null)) {
      const n = position.name === durable?.writer ? durable.n : Infinity
      const share = { records, n, batch: beginBatch(position.name) }
      advance(position, share)
      share.batch.flush()
      records = share.records
      save.run(position)
    }
    return {
      more: records === 0,
      indexed: Object.fromEntries(positions.map(({ name, n }) => [name, n])),
      faults: positions.flatMap(({ fault }) => fault ?? []),
    }
  })
  return { step: (durable) => step.immediate(durable) }
}

function begin(name: string): Position {
  return { name, segment: 0, next: 0, line: 0, n: 0, hash: ZERO_HASH, fault: null }
}

/** What one writer may bring into a step. */
interface Share {
  records: number
  /** Number of the last record that counts. */
  readonly n: number
  readonly batch: RecordBatch
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
function isHeld(folder: string, position: Position): boolean {
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
function writersByAge(folder: string): readonly string[] {
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
