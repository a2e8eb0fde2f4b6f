/** A whole subtree: the leaves from `at · 2^level` on, `2^level` of them. */
export interface NodePlace {
  readonly level: number
  readonly at: number
}

/**
 * How many hashes a tree of so many leaves has stored: each leaf's, and that of each subtree which it completes. Nothing
 * stored changes when the tree grows, so that a file of them is only ever appended to.
 */
export function storedHashes(leaves: number): number {
  return 2 * leaves - setBits(leaves)
}

/** Where a subtree's hash stands among those stored: behind its last leaf, after the smaller subtrees which that one completes. */
export function storedAt({ level, at }: NodePlace): number {
  const lastLeaf = (at + 1) * 2 ** level - 1
  return storedHashes(lastLeaf) + level
}

/** The whole subtrees of the leaves `from` to `from + count`, the largest first; `from` is a multiple of the largest. */
export function subtreesOf(from: number, count: number): readonly NodePlace[] {
  const places: NodePlace[] = []
  for (let rest = count, start = from; rest > 0;) {
    const level = Math.floor(Math.log2(rest))
    places.push({ level, at: start / 2 ** level })
    start += 2 ** level
    rest -= 2 ** level
  }
  return places
}

/** The largest power of two below `size`: where RFC 6962 splits a tree. */
export function splitOf(size: number): number {
  const power = 2 ** Math.floor(Math.log2(size))
  return power === size ? power / 2 : power
}

function setBits(value: number): number {
  let count = 0
  for (let rest = value; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2
  return count
}
