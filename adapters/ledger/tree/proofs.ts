import { EMPTY_ROOT, nodeHash } from './hashing.ts'
import { splitOf, subtreesOf, type NodePlace } from './shape.ts'

/** Gives the hash of a whole subtree. */
export type ReadNode = (place: NodePlace) => Buffer

/** The root over the first `size` leaves (RFC 6962, 2.1). */
export function rootOf(size: number, read: ReadNode): Buffer {
  return size === 0 ? EMPTY_ROOT : rangeRoot(0, size, read)
}

/** The audit path of a leaf in the tree of the first `size` leaves, from the leaf up (RFC 6962, 2.1.1). */
export function inclusionPath(leaf: number, size: number, read: ReadNode): readonly Buffer[] {
  const path: Buffer[] = []
  for (let from = 0, count = size; count > 1;) {
    const left = splitOf(count)
    if (leaf < from + left) {
      path.push(rangeRoot(from + left, count - left, read))
      count = left
    } else {
      path.push(rangeRoot(from, left, read))
      from += left
      count -= left
    }
  }
  return path.toReversed()
}

/** Proves that the tree of `size` leaves begins with that of `former` (RFC 6962, 2.1.2); nothing where one is empty or both are one. */
export function consistencyPath(former: number, size: number, read: ReadNode): readonly Buffer[] {
  if (former === 0 || former === size) return []
  const path: Buffer[] = []
  let from = 0
  let count = size
  while (former !== from + count) {
    const left = splitOf(count)
    if (former <= from + left) {
      path.push(rangeRoot(from + left, count - left, read))
      count = left
    } else {
      path.push(rangeRoot(from, left, read))
      from += left
      count -= left
    }
  }
  // A subtree that begins the tree is the former tree itself: whoever checks has its root already.
  return [...(from === 0 ? [] : [rangeRoot(from, count, read)]), ...path.toReversed()]
}

function rangeRoot(from: number, count: number, read: ReadNode): Buffer {
  return subtreesOf(from, count)
    .map(read)
    .reduceRight((right, left) => nodeHash(left, right))
}
