import { leafHash, nodeHash } from './hashing.ts'

/** The root that an audit path leads to from a leaf; undefined where the path has not the length it must have (RFC 9162, 2.1.3.2). */
export function rootOfInclusion(
  leaf: { readonly line: Uint8Array; readonly at: number },
  size: number,
  path: readonly Buffer[],
): Buffer | undefined {
  let hash = leafHash(leaf.line)
  let { at } = leaf
  let last = size - 1
  for (const beside of path) {
    if (last === 0) return undefined
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(beside, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else hash = nodeHash(hash, beside)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 ? hash : undefined
}

/** Whether a path proves that the tree with the one root begins with that of the other (RFC 9162, 2.1.4.2). */
export function isConsistent(
  former: { readonly size: number; readonly root: Buffer },
  later: { readonly size: number; readonly root: Buffer },
  path: readonly Buffer[],
): boolean {
  if (former.size === later.size) return path.length === 0 && former.root.equals(later.root)
  if (former.size === 0) return path.length === 0
  let at = former.size - 1
  let last = later.size - 1
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  const [first, ...rest] = at === 0 ? [former.root, ...path] : path
  if (first === undefined) return false
  let [begun, whole] = [first, first]
  for (const beside of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      begun = nodeHash(beside, begun)
      whole = nodeHash(beside, whole)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else whole = nodeHash(whole, beside)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && begun.equals(former.root) && whole.equals(later.root)
}

function half(value: number): number {
  return Math.floor(value / 2)
}
