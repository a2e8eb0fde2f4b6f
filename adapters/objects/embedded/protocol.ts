import type { GetOptions, ListOptions, ObjectListing, OnlyIf, StoredObject } from '../bucket.ts'
import type { BucketError } from '../bucket.ts'
import type { ObjectFacts } from '../rules/object.ts'
import type { ByteRange } from '../rules/range.ts'

/** Where the objects lie. */
export interface ObjectFiles {
  /** The SQLite file. */
  readonly file: string
  /** The folder of the larger bodies, with its shelves. */
  readonly folder: string
}

/** What is asked of the objects' thread. */
export type ObjectCall =
  | { readonly name: 'head'; readonly bucket: string; readonly key: string }
  | {
      readonly name: 'get'
      readonly bucket: string
      readonly key: string
      readonly options: GetOptions
    }
  | {
      readonly name: 'put'
      readonly bucket: string
      readonly facts: ObjectFacts
      /** The bytes, or the synced file that holds them. */
      readonly place: { readonly bytes: Uint8Array } | { readonly file: string }
      readonly onlyIf: OnlyIf | undefined
    }
  | { readonly name: 'delete'; readonly bucket: string; readonly keys: readonly string[] }
  | { readonly name: 'list'; readonly bucket: string; readonly options: ListOptions }
  | { readonly name: 'close' }

/** An object, and where its bytes are to be had; without `content` where a condition did not hold. */
export interface Found {
  readonly object: StoredObject
  readonly content?: {
    /** Undefined: all of it. */
    readonly range: ByteRange | undefined
    /** The bytes of the range, or the SHA-256 that names the file. */
    readonly place: { readonly bytes: Uint8Array } | { readonly blob: string }
  }
}

/** What each call is answered with. */
export interface ObjectAnswers {
  readonly head: StoredObject | null
  readonly get: Found | null
  readonly put: StoredObject | null
  readonly delete: undefined
  readonly list: ObjectListing
  readonly close: undefined
}

export interface ObjectAnswer {
  readonly ticket: number
  readonly result:
    | { readonly ok: true; readonly value: ObjectAnswers[keyof ObjectAnswers] }
    | {
        readonly ok: false
        readonly message: string
        /** Undefined where it is no BucketError. */
        readonly code: BucketError['code'] | undefined
      }
}
