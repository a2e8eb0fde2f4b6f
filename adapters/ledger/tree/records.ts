import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { chainHash, splitLine } from '../segment/chain.ts'
import { segmentNumbers, segmentPath } from '../segment/layout.ts'
import { readLines, type Line } from '../segment/lines.ts'
import { TreeFault } from './fault.ts'

/** Where a reader of a writer's records stands. */
export interface Reading {
  segment: number
  /** Byte behind the last line that was read. */
  offset: number
  /** Number of the last record. */
  n: number
  /** The chain's hash up to here; undefined where the next segment's header is to be believed. */
  hash: string | undefined
}

/** What a segment says of itself in its first line. */
export interface SegmentHead {
  readonly number: number
  readonly first: number
  readonly prev: string
  readonly hash: string
  /** RFC 3339. */
  readonly opened: string
}

/** One record as the log has it. */
export interface LogRecord {
  readonly n: number
  /** The line without its line feed: the leaf of the tree. Good until the next one is taken. */
  readonly line: Buffer
}

/** Reads a writer's records behind `reading`, which follows, up to the number `last`; follows the chain. Throws a TreeFault where it breaks. */
export function* readRecords(
  folder: string,
  writer: string,
  { reading, last }: { readonly reading: Reading; readonly last: number },
): Generator<LogRecord, void> {
  const numbers = segmentNumbers(join(folder, writer))
  for (const number of numbers.filter((each) => each >= reading.segment)) {
    if (reading.n >= last) return
    if (number > reading.segment) Object.assign(reading, { segment: number, offset: 0 })
    yield* readSegment(segmentPath(folder, writer, number), reading, last)
  }
}

function* readSegment(path: string, reading: Reading, last: number): Generator<LogRecord, void> {
  const fd = openSync(path, 'r')
  try {
    for (const line of readLines(fd, reading.offset)) {
      if (reading.n >= last) return
      const isHeader = line.offset === 0
      const follow = isHeader ? followHeader : followRecord
      follow(path, line, reading)
      reading.offset = line.next
      if (!isHeader) yield { n: reading.n, line: line.bytes }
    }
  } finally {
    closeSync(fd)
  }
}

function followHeader(path: string, line: Line, reading: Reading): void {
  const head = headOf(line.bytes, reading.segment)
  const fault = faultAt(path, line, reading.n + 1)
  if (head === undefined) throw fault('the first line is not the header of a segment')
  if (reading.hash === undefined) reading.n = head.first - 1
  else if (head.prev !== reading.hash || head.first !== reading.n + 1)
    throw fault('the segment does not continue the one before it')
  reading.hash = head.prev
  follow(line, reading, fault)
}

function followRecord(path: string, line: Line, reading: Reading): void {
  const fault = faultAt(path, line, reading.n + 1)
  follow(line, reading, fault)
  const n = numberOf(line.bytes)
  if (n !== reading.n + 1) throw fault(`the record has the number \`${n}\``)
  reading.n = n
}

function follow(line: Line, reading: Reading, fault: (what: string) => TreeFault): void {
  const parts = splitLine(line.bytes)
  if (parts === undefined) throw fault('the line is not a hash, a space and a record')
  if (chainHash(reading.hash ?? '', parts.json) !== parts.hash) throw fault('the hash does not fit')
  reading.hash = parts.hash
}

function faultAt(file: string, { offset }: Line, record: number): (what: string) => TreeFault {
  return (what) => new TreeFault({ file, record, offset, what })
}

/** The log writes kind and number first; whoever wrote them elsewhere has them looked up. */
const FRAME = /^\{"kind":"[a-z]+","n":(\d+)[,}]/

function numberOf(line: Buffer): number {
  const written = FRAME.exec(line.toString('latin1', 65, 128))?.[1]
  return written === undefined ? Number(fieldsOf(line)?.['n']) : Number(written)
}

/** The heads of all segments of a writer, in order; a segment whose first line is not whole yet has none. */
export function segmentHeads(folder: string, writer: string): readonly SegmentHead[] {
  return segmentNumbers(join(folder, writer)).flatMap((number) => {
    const fd = openSync(segmentPath(folder, writer, number), 'r')
    try {
      const [first] = readLines(fd, 0)
      return (first && headOf(first.bytes, number)) ?? []
    } finally {
      closeSync(fd)
    }
  })
}

function headOf(line: Buffer, number: number): SegmentHead | undefined {
  const { kind, first, prev, opened } = fieldsOf(line) ?? {}
  if (kind !== 'segment' || typeof first !== 'number' || typeof prev !== 'string') return undefined
  return { number, first, prev, hash: line.toString('latin1', 0, 64), opened: String(opened) }
}

/** The members of a line's record. */
export function fieldsOf(line: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8', 65))
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
