import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const EACH = 16
const pool = new Uint8Array(256 * EACH)
let used = pool.length

/** Sixteen random bytes. One draw serves many ids: to ask the system for each costs more than all the rest of it. */
function random(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += EACH
  return pool.subarray(used - EACH, used)
}

/** The id of a receipt: a UUIDv7 (RFC 9562), so that ids sort by time to the millisecond. */
export function newId(): string {
  return v7({ rng: random })
}
