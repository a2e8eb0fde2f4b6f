import { createHash } from 'node:crypto'

type Bytes = Uint8Array

const hashOf = (...parts: readonly Bytes[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export const leafOf = (line: Bytes): Buffer => hashOf(Buffer.of(0), line)
const parentOf = (left: Bytes, right: Bytes): Buffer => hashOf(Buffer.of(1), left, right)

/** Grows the RFC 6962 tree leaf by leaf, and keeps nothing but its right edge. */
export class GrowingRoot {
  readonly #edge: { readonly hash: Buffer; readonly leaves: number }[] = []
  size = 0

  add(line: Bytes): void {
    let hash = leafOf(line)
    let leaves = 1
    while (this.#edge.at(-1)?.leaves === leaves) {
      hash = parentOf(this.#edge.pop()?.hash ?? hash, hash)
      leaves *= 2
    }
    this.#edge.push({ hash, leaves })
    this.size += 1
  }

  /** Lower-case hex. */
  root(): string {
    const hashes = this.#edge.map(({ hash }) => hash)
    const whole =
      hashes.length === 0 ? hashOf() : hashes.reduceRight((right, left) => parentOf(left, right))
    return whole.toString('hex')
  }
}

/** The root that a leaf's audit path leads to, in hex; undefined where the path is too short or too long (RFC 6962, 2.1.1). */
export function rootByPath(
  leaf: { readonly hash: Buffer; readonly at: number },
  size: number,
  path: readonly Bytes[],
): string | undefined {
  const rest = [...path]
  // From the top down: at each split the path's last hash is that of the other side.
  const climb = (at: number, count: number): Buffer | undefined => {
    if (count === 1) return leaf.hash
    const beside = rest.pop()
    if (beside === undefined) return undefined
    const left = splitAt(count)
    const inner = at < left ? climb(at, left) : climb(at - left, count - left)
    if (inner === undefined) return undefined
    return at < left ? parentOf(inner, beside) : parentOf(beside, inner)
  }
  if (leaf.at < 0 || leaf.at >= size) return undefined
  const root = climb(leaf.at, size)
  return rest.length === 0 ? root?.toString('hex') : undefined
}

function splitAt(count: number): number {
  let split = 1
  while (split * 2 < count) split *= 2
  return split
}
