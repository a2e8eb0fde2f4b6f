import type { ChecksumsOf, HttpMetadata, StoredObject } from '../bucket.ts'

/** What a driver keeps of an object besides its bytes. */
export interface ObjectFacts {
  readonly key: string
  readonly version: string
  /** Bytes. */
  readonly size: number
  readonly etag: string
  /** Milliseconds since the epoch. */
  readonly uploaded: number
  readonly checksums: ChecksumsOf<string>
  readonly httpMetadata: HttpMetadata
  readonly customMetadata: Readonly<Record<string, string>>
}

export function objectOf(facts: ObjectFacts): StoredObject {
  const { key, version, size, etag, uploaded, checksums, httpMetadata, customMetadata } = facts
  const httpEtag = `"${etag}"`
  return {
    key,
    version,
    size,
    etag,
    httpEtag,
    uploaded,
    checksums,
    httpMetadata,
    customMetadata,
  }
}
