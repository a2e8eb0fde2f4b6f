import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { EMPTY_ROOT, HASH_BYTES, nodeHash } from './hashing.ts'
import { storedAt, storedHashes, subtreesOf, type NodePlace } from './shape.ts'

const BUFFER_BYTES = 256 * 1024

/**
 * The hashes of a growing tree in a file, in the order in which they came to be. It is a cache: it is not synced, and
 * whoever opens it compares its root with one that was signed before using it.
 */
export class NodeFile {
  readonly #fd: number
  /** Hashes of the whole subtrees at the tree's right edge, the largest first. */
  readonly #edge: Buffer[]
  readonly #pending = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  #pendingBytes = 0
  /** Bytes in the file. */
  #size: number
  #leaves: number

  /** Opens the tree of the first `leaves` leaves in the file and drops what is behind; an empty one where the file has fewer. */
  constructor(path: string, leaves: number) {
    this.#fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    const held = Math.floor(fstatSync(this.#fd).size / HASH_BYTES)
    this.#leaves = storedHashes(leaves) <= held ? leaves : 0
    this.#size = storedHashes(this.#leaves) * HASH_BYTES
    ftruncateSync(this.#fd, this.#size)
    this.#edge = subtreesOf(0, this.#leaves).map((place) => this.read(place))
  }

  leaves(): number {
    return this.#leaves
  }

  /** Adds a leaf, and each subtree that is whole with it. */
  add(leaf: Buffer): void {
    this.#leaves += 1
    this.#store(leaf)
    let whole = leaf
    for (let rest = this.#leaves; rest % 2 === 0; rest /= 2) {
      const left = this.#edge.pop()
      if (left === undefined) break
      whole = nodeHash(left, whole)
      this.#store(whole)
    }
    this.#edge.push(whole)
  }

  /** The root over all leaves, from what is in memory: whatever became of the file meanwhile, it is right. */
  root(): Buffer {
    const [last, ...before] = this.#edge.toReversed()
    return last === undefined
      ? EMPTY_ROOT
      : before.reduce((right, left) => nodeHash(left, right), last)
  }

  /** @throws RangeError where the tree does not reach so far */
  read(place: NodePlace): Buffer {
    this.flush()
    const hash = Buffer.allocUnsafe(HASH_BYTES)
    const offset = storedAt(place) * HASH_BYTES
    if (readSync(this.#fd, hash, 0, HASH_BYTES, offset) < HASH_BYTES)
      throw new RangeError(`ledger tree: it ends before place ${place.at} of level ${place.level}`)
    return hash
  }

  /** Hands what was added to the file. */
  flush(): void {
    let done = 0
    while (done < this.#pendingBytes) {
      const rest = this.#pendingBytes - done
      done += writeSync(this.#fd, this.#pending, done, rest, this.#size + done)
    }
    this.#size += done
    this.#pendingBytes = 0
  }

  close(): void {
    closeSync(this.#fd)
  }

  #store(hash: Buffer): void {
    if (this.#pendingBytes === BUFFER_BYTES) this.flush()
    hash.copy(this.#pending, this.#pendingBytes)
    this.#pendingBytes += HASH_BYTES
  }
}
