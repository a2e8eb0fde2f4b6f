import { createHash } from 'node:crypto'

/** What is known of the bytes that have passed. */
export interface Totals {
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** Counts and hashes bytes as they pass. */
export interface Measure {
  update(chunk: Uint8Array): void
  /** Of all bytes so far; more may follow. */
  totals(): Totals
}

export function createMeasure(): Measure {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    update(chunk) {
      bytes += chunk.length
      hash.update(chunk)
    },
    totals: () => ({ bytes, sha256: hash.copy().digest('hex') }),
  }
}
