import type { StoredObject } from '../bucket.ts'
import { objectOf, type ObjectFacts } from '../rules/object.ts'
import { keyBytes } from '../rules/limits.ts'

/** The columns of an object's row, but for where its bytes are. */
export interface ObjectRow {
  readonly id: number
  readonly key: Buffer
  readonly version: string
  readonly size: number
  readonly etag: string
  readonly uploaded: number
  readonly checksums: string
  readonly http: string
  readonly custom: string
}

export const COLUMNS = 'id, key, version, size, etag, uploaded, checksums, http, custom'

export function objectOfRow(row: ObjectRow): StoredObject {
  return objectOf({
    ...row,
    key: row.key.toString('utf8'),
    checksums: JSON.parse(row.checksums) as StoredObject['checksums'],
    httpMetadata: JSON.parse(row.http) as StoredObject['httpMetadata'],
    customMetadata: JSON.parse(row.custom) as StoredObject['customMetadata'],
  })
}

export function rowOf(facts: ObjectFacts): Omit<ObjectRow, 'id'> {
  const { version, size, etag, uploaded } = facts
  return {
    key: keyBytes(facts.key),
    version,
    size,
    etag,
    uploaded,
    checksums: JSON.stringify(facts.checksums),
    http: JSON.stringify(facts.httpMetadata),
    custom: JSON.stringify(facts.customMetadata),
  }
}
