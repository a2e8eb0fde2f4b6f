import { Readable } from 'node:stream'
import type { Database } from '../../postgres/port.ts'
import type {
  GetOptions,
  ListOptions,
  ObjectListing,
  ObjectWithBody,
  StoredObject,
} from '../bucket.ts'
import { holds } from '../rules/condition.ts'
import { keyBytes } from '../rules/limits.ts'
import { createPage, listingOf, type Listed, type Page, type Wanted } from '../rules/page.ts'
import { rangeOf } from '../rules/range.ts'
import { shownOf } from '../rules/shown.ts'
import { readBlob } from './blobs.ts'
import { COLUMNS, objectOfRow, type ObjectRow } from './rows.ts'

/** Bytes of bodies that one statement gives. */
const BATCH_BYTES = 2 * 1024 ** 2

type BodiedRow = ObjectRow & { readonly body: Buffer | null; readonly blob: Buffer | null }

export async function headObject(
  database: Database,
  bucket: string,
  key: string,
): Promise<StoredObject | null> {
  const [row] = await database.query<ObjectRow>(
    `SELECT ${COLUMNS} FROM narrowgate.objects WHERE bucket = $1 AND key = $2`,
    [bucket, keyBytes(key)],
  )
  return row === undefined ? null : objectOfRow(row)
}

export async function getObject(
  database: Database,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  { onlyIf, range }: GetOptions,
): Promise<StoredObject | ObjectWithBody | null> {
  const [row] = await database.query<BodiedRow>(
    `SELECT ${COLUMNS}, body, blob FROM narrowgate.objects WHERE bucket = $1 AND key = $2`,
    [bucket, keyBytes(key)],
  )
  if (row === undefined) return null
  const object = objectOfRow(row)
  if (!holds(onlyIf, object)) return object
  const wanted = range === undefined ? undefined : rangeOf(range, row.size)
  const { offset, length } = wanted ?? { offset: 0, length: row.size }
  const body =
    row.blob === null
      ? readableOf(row.body?.subarray(offset, offset + length))
      : readBlob(database, row.blob, { offset, length })
  return wanted === undefined ? { ...object, body } : { ...object, range: wanted, body }
}

function readableOf(bytes: Buffer | undefined): Readable {
  return Readable.from(bytes === undefined || bytes.length === 0 ? [] : [bytes])
}

export async function listObjects(
  database: Database,
  bucket: string,
  options: ListOptions,
): Promise<ObjectListing> {
  const page: Page<ObjectRow> = createPage<ObjectRow>(options)
  for (let wanted = page.wanted(); wanted !== undefined; wanted = page.wanted())
    page.add(await scan(database, bucket, wanted))
  const bodies = await bodiesOf(database, bucket, page.listed)
  const objects = page.listed.map(({ row }) => {
    const object = shownOf(objectOfRow(row), options.include)
    const bytes = bodies.get(row.version)
    return bytes === undefined ? object : { ...object, bytes }
  })
  return listingOf(page, objects)
}

function scan(
  database: Database,
  bucket: string,
  { from, to, rows }: Wanted,
): Promise<readonly ObjectRow[]> {
  return database.query<ObjectRow>(
    `SELECT ${COLUMNS} FROM narrowgate.objects
     WHERE bucket = $1 AND key >= $2 AND ($3::bytea IS NULL OR key < $3) ORDER BY key LIMIT $4`,
    [bucket, from, to ?? null, rows],
  )
}

/** By version, so that what was written since the page was made stays out of it. */
async function bodiesOf(
  database: Database,
  bucket: string,
  listed: readonly Listed<ObjectRow>[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const batch of batchesOf(listed)) {
    const keys = JSON.stringify(batch.map(({ key }) => key.toString('hex')))
    const rows = await database.query<{ version: string; body: Buffer | null }>(
      `SELECT version, body FROM narrowgate.objects
       WHERE bucket = $1 AND key IN (SELECT decode(value, 'hex') FROM json_array_elements_text($2::text::json))`,
      [bucket, keys],
    )
    for (const { version, body } of rows) if (body !== null) found.set(version, body)
  }
  return found
}

function batchesOf(listed: readonly Listed<ObjectRow>[]): readonly (readonly ObjectRow[])[] {
  const batches: ObjectRow[][] = []
  let room = 0
  for (const { row, bodied } of listed) {
    if (!bodied) continue
    if (batches.length === 0 || row.size > room) {
      batches.push([])
      room = BATCH_BYTES
    }
    batches.at(-1)?.push(row)
    room -= row.size
  }
  return batches
}
