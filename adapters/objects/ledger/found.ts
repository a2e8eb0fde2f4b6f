import type { Readable } from 'node:stream'
import type { StoredObject } from '../bucket.ts'
import type { ByteRange } from '../rules/range.ts'

/** Something of the ledger, as an object. */
export interface FoundObject {
  readonly object: StoredObject
  /** All of it, or a range; undefined where the bytes are no more. */
  read(range: ByteRange | undefined): Promise<Readable | undefined>
}
