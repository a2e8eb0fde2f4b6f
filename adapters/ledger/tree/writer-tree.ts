import { join } from 'node:path'
import type { Head } from '../port.ts'
import { ZERO_HASH } from '../segment/chain.ts'
import { segmentPath } from '../segment/layout.ts'
import { isConsistent, rootOfInclusion } from './check.ts'
import { TreeFault } from './fault.ts'
import { leafHash } from './hashing.ts'
import { NodeFile } from './node-file.ts'
import { consistencyPath, inclusionPath, rootOf, type ReadNode } from './proofs.ts'
import { readRecords, segmentHeads, type Reading, type SegmentHead } from './records.ts'

const NAME = 'tree'

/** A tree's size and root, as a checkpoint states them. */
export interface TreeHead {
  readonly size: number
  readonly root: Buffer
}

export interface TreeFiles {
  /** The log's folder. */
  readonly folder: string
  readonly writer: string
}

/**
 * The RFC 6962 tree over a writer's records: leaf `n - 1` is the line of record `n`. Headers of segments are no leaves.
 * The hashes lie in a file, which is believed only as far as a signed root confirms it.
 */
export class WriterTree {
  readonly #files: TreeFiles
  /** What is signed, or about to be; undefined where nothing is. */
  #signed: TreeHead | undefined
  #nodes: NodeFile
  #reading = beginning()
  readonly #read: ReadNode = (place) => this.#nodes.read(place)

  /**
   * @param signed this gateway's own last checkpoint, whose signature was checked; undefined where there is none
   * @throws TreeFault where the log is not what was signed
   */
  constructor(files: TreeFiles, signed: TreeHead | undefined) {
    this.#files = files
    this.#signed = signed
    this.#nodes = this.#openNodes(signed?.size ?? 0)
    const held = this.#nodes.leaves()
    if (signed === undefined || held !== signed.size || !this.#nodes.root().equals(signed.root))
      this.#restart()
    else this.#resume(held)
  }

  /** Grows the tree to a head of the writer's, whose hash the log's record must have. Throws a TreeFault where it has another. */
  advance(head: Head): TreeHead {
    this.#growTo(head.n)
    if (this.#reading.n === head.n && !this.#endsWith(head.hash))
      throw this.#faultAt(head.n, 'the chain has another hash here than the writer gave it')
    return (this.#signed = this.head(head.n))
  }

  /** Size and root of the tree as it was when it had `size` records. Throws a RangeError where it never had. */
  head(size: number): TreeHead {
    const whole = { size: this.#nodes.leaves(), root: this.#nodes.root() }
    if (size === whole.size) return whole
    if (size > whole.size)
      throw new RangeError(`ledger tree: ${size} records, it has ${whole.size}`)
    return this.#checked(() => {
      const head = { size, root: rootOf(size, this.#read) }
      return isConsistent(head, whole, consistencyPath(size, whole.size, this.#read)) && head
    })
  }

  /** The audit path of record `n`, whose line is given, in the tree of `size` records. */
  proveInclusion(
    record: { readonly n: number; readonly line: Uint8Array },
    size: number,
  ): readonly Buffer[] {
    const { root } = this.head(size)
    const leaf = { line: record.line, at: record.n - 1 }
    return this.#checked(() => {
      const path = inclusionPath(leaf.at, size, this.#read)
      return rootOfInclusion(leaf, size, path)?.equals(root) === true && path
    })
  }

  /** Proves that the tree of `size` records begins with that of `former`. */
  proveConsistency(former: number, size: number): readonly Buffer[] {
    const [begun, whole] = [this.head(former), this.head(size)]
    return this.#checked(() => {
      const path = consistencyPath(former, size, this.#read)
      return isConsistent(begun, whole, path) && path
    })
  }

  close(): void {
    this.#nodes.close()
  }

  /** What is read of the file is checked before it is given away: where the file has rotted, the tree is made again from the log. */
  #checked<T>(prove: () => T | false): T {
    const size = this.#nodes.leaves()
    const first = prove()
    if (first !== false) return first
    this.#restart()
    this.#growTo(size)
    const again = prove()
    if (again === false) throw this.#faultAt(size, 'its tree gives no proof that holds')
    return again
  }

  #openNodes(leaves: number): NodeFile {
    return new NodeFile(join(this.#files.folder, this.#files.writer, NAME), leaves)
  }

  /** Reads the log from its beginning; what was signed must come out again. */
  #restart(): void {
    this.#nodes.close()
    this.#nodes = this.#openNodes(0)
    this.#reading = beginning()
    const signed = this.#signed
    if (signed === undefined) return
    this.#growTo(signed.size)
    if (!this.#nodes.root().equals(signed.root))
      throw this.#faultAt(signed.size, 'up to here the log is not the one that was signed')
  }

  /** Goes on behind what was signed, after a look at the segment in which that ends. */
  #resume(size: number): void {
    const { folder, writer } = this.#files
    const head = segmentHeads(folder, writer).findLast(({ first }) => first <= Math.max(1, size))
    if (head === undefined) return this.#checkReached(size)
    this.#reading = { segment: head.number, offset: 0, n: 0, hash: undefined }
    for (const { n, line } of this.#records(size))
      if (!leafHash(line).equals(this.#nodes.read({ level: 0, at: n - 1 })))
        throw this.#faultAt(n, 'the record is not the one that was signed')
    this.#checkReached(size)
  }

  #growTo(size: number): void {
    if (size <= this.#nodes.leaves()) return
    for (const { line } of this.#records(size)) this.#nodes.add(leafHash(line))
    this.#nodes.flush()
    this.#checkReached(size)
  }

  /** A head is the last record's hash, or that of the header of a segment that has no record yet. */
  #endsWith(hash: string): boolean {
    const { folder, writer } = this.#files
    const { segment, n } = this.#reading
    const follows = ({ number, first }: SegmentHead) => number > segment && first === n + 1
    return (
      this.#reading.hash === hash ||
      segmentHeads(folder, writer).some((head) => follows(head) && head.hash === hash)
    )
  }

  #checkReached(size: number): void {
    if (this.#reading.n < size) throw this.#faultAt(this.#reading.n + 1, 'the log ends before it')
  }

  #records(last: number) {
    const { folder, writer } = this.#files
    return readRecords(folder, writer, { reading: this.#reading, last })
  }

  #faultAt(record: number, what: string): TreeFault {
    const { folder, writer } = this.#files
    const { segment, offset } = this.#reading
    return new TreeFault({
      file: segmentPath(folder, writer, Math.max(1, segment)),
      record,
      offset,
      what,
    })
  }
}

function beginning(): Reading {
  return { segment: 0, offset: 0, n: 0, hash: ZERO_HASH }
}
