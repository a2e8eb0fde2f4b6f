import { createHash } from 'node:crypto'
import type { Line } from './lines.ts'

const HASH_CHARS = 64
const HASH = /^[0-9a-f]{64}$/

/** A line taken apart. */
export interface Item {
  readonly line: Line
  /** What the line says that its hash is. */
  readonly claimed: string
  readonly json: Buffer
  readonly fields: Readonly<Record<string, unknown>>
}

/** Undefined of a line that is not a hash, a space and a JSON object. */
export function itemOf(line: Line): Item | undefined {
  const claimed = line.bytes.toString('latin1', 0, HASH_CHARS)
  const json = line.bytes.subarray(HASH_CHARS + 1)
  const fields = parse(json)
  const isItem = HASH.test(claimed) && line.bytes[HASH_CHARS] === 0x20 && fields !== undefined
  return isItem ? { line, claimed, json, fields } : undefined
}

/** The rule of the chain: SHA-256 over the 32 bytes of the hash before and the record's bytes. */
export function hashAfter(previous: string, { json }: Item): string {
  return createHash('sha256').update(previous, 'hex').update(json).digest('hex')
}

function parse(json: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
