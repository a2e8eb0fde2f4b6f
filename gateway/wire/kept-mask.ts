import type { Redactor } from './redactor.ts'
import { maskTokens } from './tokens.ts'

/** Masks a body on its way into the store: nothing that is kept holds a key of the gateway's or a token. */
interface KeptMask {
  /** Takes a piece and gives what can be kept of all so far. */
  push(chunk: Uint8Array): Buffer
  /** Gives the rest. */
  end(): Buffer
}

const START = 'g1.'
/** A token's beginning that more bytes may complete. */
const UNFINISHED = /^g1\.[\w-]*(?:\.[\w-]{0,42})?$/
/** Longer than any token that could be accepted. */
const MAX_HELD = 16_384
const EMPTY = Buffer.alloc(0)

/**
 * Keys in every form that the redactor knows, tokens as they are written. A client may send either in a body, and an
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
  // A payload may itself end in `g1`, so that the last start need not be the token's.
  for (
    let at = bytes.lastIndexOf(START);
    at >= 0;
    at = at === 0 ? -1 : bytes.lastIndexOf(START, at - 1)
  ) {
    if (bytes.length - at > MAX_HELD || !UNFINISHED.test(bytes.toString('latin1', at))) break
    from = at
  }
  return from
}

function beginningAtEnd(bytes: Buffer): number {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 2))
  if (end === 'g1') return 2
  return end.endsWith('g') ? 1 : 0
}

function masked(bytes: Buffer): Buffer {
  return bytes.includes(START) ? Buffer.from(maskTokens(bytes.toString('latin1')), 'latin1') : bytes
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk)
    ? chunk
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
