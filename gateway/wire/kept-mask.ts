import type { Redactor } from './redactor.ts'
import { maskTokens } from './tokens.ts'

/** Masks a body on its way into the store: nothing that is kept holds a key of the gateway's or a token. */
interface KeptMask {
  /** Takes a piece and gives what can be kept of all so far. */
  push(chunk: Uint8Array): Buffer
  /** Gives the rest. */
  end(): Buffer
}

/** How tokens begin, and sessions of persons. */
const STARTS = ['g1.', 'ns1.']
const START_ENDS = '1.'
/** A token's beginning that more bytes may complete. */
const UNFINISHED = /^(?:g1|ns1)\.[\w-]*(?:\.[\w-]{0,42})?$/
/** Longer than any token that could be accepted. */
const MAX_HELD = 16_384
const EMPTY = Buffer.alloc(0)

/**
 * Keys in every form that the redactor knows, tokens and sessions as they are written. A client may send either in a body, and an
 * upstream may give back what it was sent. Lengths stay true.
 */
export function createKeptMask(redactor: Redactor | undefined): KeptMask {
  const keys = redactor?.stream()
  let held = EMPTY
  const pass = (chunk: Buffer): Buffer => {
    // Whole tokens first: the end of one may look like the beginning of another.
    const all = masked(held.length === 0 ? chunk : Buffer.concat([held, chunk]))
    const from = unfinishedFrom(all)
    // A copy, since the piece is its sender's again once this returns.
    held = from === all.length ? EMPTY : Buffer.from(all.subarray(from))
    return all.subarray(0, from)
  }
  return {
    push: (chunk) => pass(keys === undefined ? asBuffer(chunk) : keys.push(asBuffer(chunk))),
    end() {
      const last = keys === undefined ? EMPTY : pass(keys.flush())
      const rest = held
      held = EMPTY
      return last.length === 0 ? rest : Buffer.concat([last, rest])
    },
  }
}

/** Where a token begins that is not whole yet; the length where none does. */
function unfinishedFrom(bytes: Buffer): number {
  let from = bytes.length - beginningAtEnd(bytes)
  // A payload may itself end like a start, so that the last start need not be the token's.
  for (let end = bytes.length; end > 0;) {
    const at = bytes.lastIndexOf(START_ENDS, end - 1)
    if (at < 0 || bytes.length - at > MAX_HELD) break
    end = at
    const start = startAt(bytes, at)
    if (start === undefined) continue
    if (!UNFINISHED.test(bytes.toString('latin1', start))) break
    from = start
  }
  return from
}

/** Where the start begins whose last two bytes are at `at`. */
function startAt(bytes: Buffer, at: number): number | undefined {
  const text = bytes.toString('latin1', Math.max(0, at - 2), at + START_ENDS.length)
  const found = STARTS.find((start) => text.endsWith(start))
  return found === undefined ? undefined : at + START_ENDS.length - found.length
}

/** How many of the last bytes may be the beginning of a start. */
function beginningAtEnd(bytes: Buffer): number {
  const text = bytes.toString('latin1', Math.max(0, bytes.length - 3))
  const lengths = [3, 2, 1].filter((length) =>
    STARTS.some((start) => length < start.length && text.endsWith(start.slice(0, length))),
  )
  return lengths[0] ?? 0
}

function masked(bytes: Buffer): Buffer {
  return STARTS.some((start) => bytes.includes(start))
    ? Buffer.from(maskTokens(bytes.toString('latin1')), 'latin1')
    : bytes
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk)
    ? chunk
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
