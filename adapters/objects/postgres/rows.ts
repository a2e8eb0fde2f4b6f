import type { StoredObject } from '../bucket.ts'
import { objectOf } from '../rules/object.ts'

/** An object's row, but for where its bytes are. */
export interface ObjectRow {
  readonly key: Buffer
  readonly version: string
  readonly size: number
  readonly etag: string
  readonly uploaded: number
  readonly checksums: StoredObject['checksums']
  readonly http: StoredObject['httpMetadata']
  readonly custom: StoredObject['customMetadata']
}

// A bigint comes as text; these are far below what a double holds exactly.
export const COLUMNS = `objects.key, objects.version, objects.size::float8 AS size, objects.etag,
  objects.uploaded::float8 AS uploaded, objects.checksums, objects.http, objects.custom`

export function objectOfRow(row: ObjectRow): StoredObject {
  const { checksums, http: httpMetadata, custom: customMetadata } = row
  return objectOf({
    ...row,
    key: row.key.toString('utf8'),
    checksums,
    httpMetadata,
    customMetadata,
  })
}
