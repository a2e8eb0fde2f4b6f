import { closeSync, fstatSync, openSync } from 'node:fs'
import { chainHash, MAX_LINE_BYTES, splitLine, ZERO_HASH } from './chain.ts'
import type { ChainEnd } from './encoder.ts'
import { readLines, type Line } from './lines.ts'

/** A place where the log is not what was written. */
export interface Damage {
  readonly file: string
  /** Number of the record that does not fit (0: the segment's header). */
  readonly record: number
  readonly offset: number
  readonly what: string
}

/** What a segment was found to hold. */
export interface CheckedSegment {
  readonly end: ChainEnd
  /** Bytes of whole lines. */
  readonly size: number
  /** Bytes behind the last whole line: a write that did not finish. */
  readonly torn: number
}

/** What the checker is told beforehand; `end` is undefined where the segment's own header is to be believed. */
export interface CheckStart {
  readonly writer: string
  readonly end: ChainEnd | undefined
  /** Intents without an outcome so far; brought up to date by the check. */
  readonly open: Set<number>
}

/** Members that the log itself has put into a record. */
interface Frame {
  readonly kind: string
  readonly n: number
  readonly intent?: number
  readonly writer?: string
  readonly first?: number
  readonly prev?: string
}

/** Thrown inside the check, and turned into a value at its border. */
class DamageFound extends Error {
  readonly damage: Damage

  constructor(damage: Damage) {
    super(damage.what)
    this.damage = damage
  }
}

/** Follows a segment's chain from its header to its last whole line. */
export function checkSegment(path: string, start: CheckStart): CheckedSegment | Damage {
  const fd = openSync(path, 'r')
  try {
    return followChain(fd, path, start)
  } catch (error) {
    if (error instanceof DamageFound) return error.damage
    throw error
  } finally {
    closeSync(fd)
  }
}

function followChain(fd: number, path: string, start: CheckStart): CheckedSegment {
  let end: ChainEnd | undefined
  let size = 0
  const fault = (what: string): never => {
    const record = end === undefined ? 0 : end.n + 1
    throw new DamageFound({ file: path, record, offset: size, what })
  }
  for (const line of readLines(fd, 0)) {
    end =
      end === undefined
        ? readHeader(line, start, fault)
        : readRecord(line, { end, open: start.open }, fault)
    size = line.next
  }
  const torn = fstatSync(fd).size - size
  // No write of the log is as long as this: it did not end here because of a crash.
  if (torn > MAX_LINE_BYTES) fault(`${torn} bytes without a line feed`)
  return { end: end ?? { n: 0, hash: ZERO_HASH }, size, torn }
}

type Fault = (what: string) => never

function readHeader(line: Line, start: CheckStart, fault: Fault): ChainEnd {
  const { hash, json, frame } = open(line, fault)
  if (
    frame.kind !== 'segment' ||
    frame.n !== 0 ||
    frame.prev === undefined ||
    frame.first === undefined
  ) {
    return fault('the first line is not the header of a segment')
  }
  if (frame.writer !== start.writer) fault(`the header names the writer \`${frame.writer}\``)
  if (
    start.end !== undefined &&
    (frame.prev !== start.end.hash || frame.first !== start.end.n + 1)
  ) {
    fault('the header does not continue the segment before it')
  }
  if (chainHash(frame.prev, json) !== hash) fault('the hash does not fit')
  return { n: frame.first - 1, hash }
}

function readRecord(
  line: Line,
  state: { readonly end: ChainEnd; readonly open: Set<number> },
  fault: Fault,
): ChainEnd {
  const { hash, json, frame } = open(line, fault)
  if (chainHash(state.end.hash, json) !== hash) fault('the hash does not fit')
  if (frame.n !== state.end.n + 1) fault(`the record has the number \`${frame.n}\``)
  if (frame.kind === 'intent') state.open.add(frame.n)
  if (frame.kind === 'outcome' && frame.intent !== undefined) state.open.delete(frame.intent)
  return { n: frame.n, hash }
}

function open(line: Line, fault: Fault): { hash: string; json: Buffer; frame: Frame } {
  const parts = splitLine(line.bytes)
  if (parts === undefined) return fault('the line is not a hash, a space and a record')
  const frame = frameOf(parts.json)
  return frame === undefined
    ? fault('the record is no JSON object with kind and number')
    : { ...parts, frame }
}

function frameOf(json: Buffer): Frame | undefined {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'))
    return isFrame(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isFrame(value: unknown): value is Frame {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    typeof value.kind === 'string' &&
    'n' in value &&
    typeof value.n === 'number'
  )
}
