import { hash } from 'node:crypto'

/** Stands for the hash before a writer's first record. */
export const ZERO_HASH = '0'.repeat(64)

/** A line begins with 64 hex digits and one space. */
export const PREFIX_BYTES = 65

/** Longest line that is written or read: a file without line feeds must not fill the memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024

const RAW_HASH_BYTES = 32

/** The record of a line, and the hash that the line claims for it. */
export interface SplitLine {
  readonly hash: string
  readonly json: Buffer
}

/** Takes a line (without its line feed) apart; undefined where it has not the form of one. */
export function splitLine(line: Buffer): SplitLine | undefined {
  if (line.length <= PREFIX_BYTES || line[PREFIX_BYTES - 1] !== 0x20) return undefined
  for (let at = 0; at < PREFIX_BYTES - 1; at += 1) if (!isHexDigit(line[at])) return undefined
  return { hash: line.toString('latin1', 0, PREFIX_BYTES - 1), json: line.subarray(PREFIX_BYTES) }
}

/** Lower case alone: one hash has one spelling. */
function isHexDigit(byte = 0): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
}

/** Where a record of usual size is put behind the hash before it: one pass over one buffer hashes both. */
const scratch = Buffer.allocUnsafeSlow(16 * 1024)

/** `SHA-256(previous hash as 32 bytes || record)`, in lower-case hex. */
export function chainHash(previous: string, json: Buffer): string {
  const length = RAW_HASH_BYTES + json.length
  const both = length <= scratch.length ? scratch : Buffer.allocUnsafeSlow(length)
  both.write(previous, 0, 'hex')
  both.set(json, RAW_HASH_BYTES)
  return hash('sha256', both.subarray(0, length))
}

/**
 * Completes a line in place: the record's bytes already stand at `at + PREFIX_BYTES`.
 * The previous hash is laid in front of them for a moment, so that one pass hashes both without a copy.
 */
export function sealLine(
  buffer: Buffer,
  at: number,
  line: { previous: string; end: number },
): string {
  const json = at + PREFIX_BYTES
  buffer.write(line.previous, json - RAW_HASH_BYTES, 'hex')
  const sealed = hash('sha256', buffer.subarray(json - RAW_HASH_BYTES, line.end))
  buffer.write(sealed, at, 'latin1')
  buffer[json - 1] = 0x20
  buffer[line.end] = 0x0a
  return sealed
}
