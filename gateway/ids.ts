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

/** 80 random bits in letters that can be read out and double-clicked. */
function readable(): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  return [...random()].map((byte) => alphabet[byte & 31]).join('')
}

/** The id of a grant for which none was asked for. */
export function newGrantId(): string {
  return `g_${readable()}`
}

/** The id of a person for whom none was asked for. */
export function newPersonId(): string {
  return `p_${readable()}`
}
