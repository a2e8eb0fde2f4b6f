import type { Readable } from 'node:stream'

/**
 * A store of objects under keys, with the calls and the object shape of R2: get, head, put, delete, list. Keys are ordered by
 * their UTF-8 bytes. Types only; the drivers are strangers to each other and pass one conformance suite.
 */
export interface Bucket {
  /** What is known of an object, or null where there is none. */
  head(key: string): Promise<StoredObject | null>
  /** The object with its bytes; without them (`body` absent) where `onlyIf` does not hold; null where there is none. */
  get(key: string, options?: GetOptions): Promise<StoredObject | ObjectWithBody | null>
  /** Writes the object whole. Null where `onlyIf` does not hold: then nothing was written. */
  put(key: string, value: ObjectBytes, options?: PutOptions): Promise<StoredObject | null>
  /** Deletes what is there of up to 1,000 keys; a key without an object is no fault. */
  delete(keys: string | readonly string[]): Promise<void>
  list(options?: ListOptions): Promise<ObjectListing>
  close(): Promise<void>
}

/** What an object is made of. A stream is read once, to its end, in constant memory. */
export type ObjectBytes = Uint8Array | string | Readable

export interface ChecksumsOf<T> {
  readonly md5?: T
  readonly sha1?: T
  readonly sha256?: T
  readonly sha384?: T
  readonly sha512?: T
}

export interface HttpMetadata {
  readonly contentType?: string
  readonly contentLanguage?: string
  readonly contentDisposition?: string
  readonly contentEncoding?: string
  readonly cacheControl?: string
  /** Milliseconds since the epoch. */
  readonly cacheExpiry?: number
}

export interface StoredObject {
  readonly key: string
  /** Changes with every write. */
  readonly version: string
  /** Bytes. */
  readonly size: number
  /** Without quotes; `httpEtag` has them. */
  readonly etag: string
  readonly httpEtag: string
  /** Milliseconds since the epoch. */
  readonly uploaded: number
  /** Lower-case hex; what was put through this port has `md5` and `sha256`. */
  readonly checksums: ChecksumsOf<string>
  readonly httpMetadata: HttpMetadata
  readonly customMetadata: Readonly<Record<string, string>>
  /** What `get` returns of the object, where a range was asked for. */
  readonly range?: { readonly offset: number; readonly length: number }
}

export interface ObjectWithBody extends StoredObject {
  /** The bytes of the range. Whoever does not read it to its end destroys it. */
  readonly body: Readable
}

/**
 * Conditions in the order of RFC 9110, 13.2.2: a time counts only where no etag of its side is given (`uploadedBefore` beside
 * `etagMatches`, `uploadedAfter` beside `etagDoesNotMatch`). Etags are written without quotes; `*` stands for any object. Where
 * there is no object, nothing matches, and nothing was uploaded after anything.
 */
export interface OnlyIf {
  readonly etagMatches?: string | readonly string[]
  readonly etagDoesNotMatch?: string | readonly string[]
  /** Milliseconds since the epoch. */
  readonly uploadedBefore?: number
  readonly uploadedAfter?: number
  /** Times are compared by whole seconds, as the fields of HTTP have them. */
  readonly secondsGranularity?: boolean
}

export type ObjectRange =
  | { readonly offset: number; readonly length?: number }
  | { readonly offset?: number; readonly length: number }
  | { readonly suffix: number }

export interface GetOptions {
  readonly onlyIf?: OnlyIf
  readonly range?: ObjectRange
}

export interface PutOptions {
  readonly onlyIf?: OnlyIf
  readonly httpMetadata?: HttpMetadata
  readonly customMetadata?: Readonly<Record<string, string>>
  /** Lower-case hex of what the bytes must have; at most one. Other bytes are refused. */
  readonly checksums?: ChecksumsOf<string>
}

export interface ListOptions {
  readonly prefix?: string
  readonly delimiter?: string
  /** From an earlier answer; opaque. */
  readonly cursor?: string
  /** Only keys behind this one. */
  readonly startAfter?: string
  /** 1 to 1,000; 1,000 by default. */
  readonly limit?: number
  /** What comes with each object besides what it always has; small bodies come up to 16 MiB in all. */
  readonly include?: readonly ('httpMetadata' | 'customMetadata' | 'body')[]
}

export interface ListedObject extends StoredObject {
  /** Where `include` has `body`, the object is at most 256 KiB and the answer had room for it. */
  readonly bytes?: Uint8Array
}

export interface ObjectListing {
  readonly objects: readonly ListedObject[]
  /** What keys have in common up to the delimiter, in order. */
  readonly delimitedPrefixes: readonly string[]
  readonly truncated: boolean
  /** Where it is truncated. */
  readonly cursor?: string
}

/** What a driver throws where a call is wrong or cannot be done. */
export interface BucketError extends Error {
  /** R2's name for it: AccessDenied where a bucket can only be read, InternalError where its place fails. */
  readonly code:
    | 'InternalError'
    | 'AccessDenied'
    | 'MetadataTooLarge'
    | 'InvalidObjectName'
    | 'InvalidMaxKeys'
    | 'InvalidArgument'
    | 'BadDigest'
    | 'InvalidRange'
    | 'EntityTooLarge'
  /** R2's number for it, as at the end of its messages. */
  readonly number: number
}
