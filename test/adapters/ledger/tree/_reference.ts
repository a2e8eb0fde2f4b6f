import { createHash } from 'node:crypto'

/** RFC 6962, 2.1, word by word: slow, and nothing of it is shared with what it is compared with. */
const sha256 = (...parts: readonly Uint8Array[]) => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}

/** The largest power of two smaller than n. */
function k(n: number): number {
  let power = 1
  while (power * 2 < n) power *= 2
  return power
}

export function treeHash(leaves: readonly Uint8Array[]): Buffer {
  const [only = Buffer.alloc(0)] = leaves
  if (leaves.length === 0) return sha256(only)
  if (leaves.length === 1) return sha256(Buffer.from([0]), only)
  const split = k(leaves.length)
  return sha256(Buffer.from([1]), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)))
}

export function path(m: number, leaves: readonly Uint8Array[]): readonly Buffer[] {
  if (leaves.length <= 1) return []
  const split = k(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return m < split
    ? [...path(m, left), treeHash(right)]
    : [...path(m - split, right), treeHash(left)]
}

export function proof(m: number, leaves: readonly Uint8Array[]): readonly Buffer[] {
  return subproof(m, leaves, true)
}

function subproof(m: number, leaves: readonly Uint8Array[], whole: boolean): readonly Buffer[] {
  if (m === leaves.length) return whole ? [] : [treeHash(leaves)]
  const split = k(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return m <= split
    ? [...subproof(m, left, whole), treeHash(right)]
    : [...subproof(m - split, right, false), treeHash(left)]
}
