import { chainHash, splitLine } from '../segment/chain.ts'
import { IngestFaultError } from './fault.ts'

/** A line that says it begins a segment. */
export interface HeaderLine {
  readonly kind: 'segment'
  readonly bytes: Buffer
  readonly hash: string
  readonly writer: string
  readonly first: number
  readonly prev: string
}

export interface RecordLine {
  readonly kind: 'record'
  readonly bytes: Buffer
  readonly hash: string
  readonly json: Buffer
  readonly n: number
}

const WRITER = /^w_[A-Za-z0-9_-]{1,64}$/
const ORIGIN = /^[a-z][a-z0-9-]{0,31}:[!-~]{1,128}$/
const HASH = /^[0-9a-f]{64}$/
const KINDS: readonly unknown[] = ['intent', 'outcome', 'refusal', 'event']

/** Reads a line as far as the log has to understand it. Throws an IngestFault where it is none. */
export function readLine(bytes: Buffer): HeaderLine | RecordLine {
  const parts = splitLine(bytes)
  if (parts === undefined) throw malformed('a line that is not a hash, a space and a record')
  const value = parse(parts.json)
  if (value === undefined) throw malformed('a line whose record is no JSON object')
  const { hash, json } = parts
  return value['kind'] === 'segment'
    ? readHeader(value, { bytes, hash, json })
    : readRecord(value, { bytes, hash, json })
}

interface Line {
  readonly bytes: Buffer
  readonly hash: string
  readonly json: Buffer
}

function readHeader(value: Fields, { bytes, hash, json }: Line): HeaderLine {
  const { writer, n, first, prev } = value
  if (n !== 0 || !isNumber(first) || first < 1 || typeof prev !== 'string' || !HASH.test(prev))
    throw malformed('a header of a segment that lacks n, first or prev')
  if (typeof writer !== 'string' || !WRITER.test(writer))
    throw malformed('a header that names no writer of the form `w_…`')
  if (chainHash(prev, json) !== hash)
    throw new IngestFaultError('mismatch', 'a header whose hash does not fit', { record: 0 })
  return { kind: 'segment', bytes, hash, writer, first, prev }
}

function readRecord(value: Fields, { bytes, hash, json }: Line): RecordLine {
  const { kind, n, origin } = value
  if (!isNumber(n) || n < 1) throw malformed('a record without a number')
  if (!KINDS.includes(kind)) throw malformed('a record of no known kind', n)
  const opens = kind === 'intent' || kind === 'refusal'
  // Who recorded it: ours alone is called `gateway`.
  if (opens && (typeof origin !== 'string' || !ORIGIN.test(origin)))
    throw malformed('a record whose origin is not of the form `sidecar:<name>`', n)
  return { kind: 'record', bytes, hash, json, n }
}

function malformed(what: string, record?: number): IngestFaultError {
  return new IngestFaultError('malformed', what, { record })
}

type Fields = Readonly<Record<string, unknown>>

function parse(json: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined
  } catch {
    return undefined
  }
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
