import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { Database } from '../../postgres/port.ts'
import type { PutOptions, StoredObject } from '../bucket.ts'
import type { Taken } from '../intake.ts'
import { conditionSql } from '../rules/condition-sql.ts'
import { keyBytes } from '../rules/limits.ts'
import { objectOf } from '../rules/object.ts'
import { storeBlob } from './blobs.ts'

/** How often a body is stored anew that was swept away before its row came, or a deadlock is tried again. */
const TRIES = 5
const AGAIN = new Set(['23503', '40P01'])

export interface Putting {
  readonly bucket: string
  readonly key: string
  readonly taken: Taken
  readonly options: PutOptions
}

/** The body first, then its row, by one statement that holds the condition. Null where that does not hold. */
export async function putObject(
  database: Database,
  putting: Putting,
): Promise<StoredObject | null> {
  const { place, size, checksums } = putting.taken
  for (let tries = 1; ; tries += 1) {
    try {
      if ('file' in place)
        await storeBlob(database, { file: place.file, size, sha256: checksums.sha256 })
      return await putRow(database, putting)
    } catch (error) {
      if (tries === TRIES || !AGAIN.has(stateOf(error))) throw error
    }
  }
}

/** SQLSTATE of what the server refused. */
function stateOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string } }
  return cause?.code ?? ''
}

const SET = `version = $3, size = $4, etag = $5, uploaded = (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  checksums = $6::text::json, http = $7::text::json, custom = $8::text::json, body = $9, blob = $10`

async function putRow(
  database: Database,
  { bucket, key, taken, options }: Putting,
): Promise<StoredObject | null> {
  const { size, checksums, place } = taken
  const { httpMetadata = {}, customMetadata = {}, onlyIf } = options
  const version = randomBytes(16).toString('hex')
  const values: (string | number | Uint8Array | null)[] = [
    bucket,
    keyBytes(key),
    version,
    size,
    checksums.md5,
    JSON.stringify(checksums),
    JSON.stringify(httpMetadata),
    JSON.stringify(customMetadata),
    'bytes' in place ? place.bytes : null,
    'file' in place ? Buffer.from(checksums.sha256, 'hex') : null,
  ]
  const { onNone, where } = conditionSql(onlyIf, (value) => `$${values.push(value)}`)
  const text = onNone
    ? `INSERT INTO narrowgate.objects AS objects
         (bucket, key, version, size, etag, uploaded, checksums, http, custom, body, blob)
       VALUES ($1, $2, $3, $4, $5, (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
         $6::text::json, $7::text::json, $8::text::json, $9, $10)
       ON CONFLICT (bucket, key) DO UPDATE SET ${SET} WHERE ${where} RETURNING uploaded::float8`
    : `UPDATE narrowgate.objects AS objects SET ${SET}
       WHERE bucket = $1 AND key = $2 AND ${where} RETURNING uploaded::float8`
  const [row] = await database.query<{ uploaded: number }>(text, values)
  if (row === undefined) return null
  const { uploaded } = row
  return objectOf({
    key,
    version,
    size,
    etag: checksums.md5,
    uploaded,
    checksums,
    httpMetadata,
    customMetadata,
  })
}

/** Rows are locked in one order, so that two deletes of the same keys do not wait for each other. */
export async function deleteObjects(
  database: Database,
  bucket: string,
  keys: readonly string[],
): Promise<void> {
  const hex = JSON.stringify(keys.map((key) => keyBytes(key).toString('hex')))
  await database.query(
    `DELETE FROM narrowgate.objects WHERE bucket = $1 AND key IN (
       SELECT key FROM narrowgate.objects
       WHERE bucket = $1 AND key IN (SELECT decode(value, 'hex') FROM json_array_elements_text($2::text::json))
       ORDER BY key FOR UPDATE)`,
    [bucket, hex],
  )
}
