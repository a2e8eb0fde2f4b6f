import type Database from 'better-sqlite3'
import type { GetOptions, ListOptions, ObjectListing, StoredObject } from '../bucket.ts'
import { holds } from '../rules/condition.ts'
import { keyBytes } from '../rules/limits.ts'
import { createPage, listingOf, type Page, type Wanted } from '../rules/page.ts'
import { rangeOf } from '../rules/range.ts'
import { shownOf } from '../rules/shown.ts'
import type { Found } from './protocol.ts'
import { COLUMNS, objectOfRow, type ObjectRow } from './rows.ts'

type PlacedRow = ObjectRow & { readonly blob: string | null }

export interface Reader {
  head(bucket: string, key: string): StoredObject | null
  get(bucket: string, key: string, options: GetOptions): Found | null
  list(bucket: string, options: ListOptions): ObjectListing
}

export function createReader(db: Database.Database): Reader {
  const one = db.prepare<[string, Buffer], PlacedRow>(
    `SELECT ${COLUMNS}, blob FROM objects WHERE bucket = ? AND key = ?`,
  )
  const body = db.prepare<[number], Buffer>('SELECT bytes FROM bodies WHERE object = ?').pluck()
  const rows = createScan(db)

  const contentOf = ({ id, blob, size }: PlacedRow, range: GetOptions['range']) => {
    const wanted = range === undefined ? undefined : rangeOf(range, size)
    if (blob !== null) return { range: wanted, place: { blob } }
    const bytes = bytesOf(body.get(id))
    const { offset, length } = wanted ?? { offset: 0, length: size }
    return { range: wanted, place: { bytes: bytes.subarray(offset, offset + length) } }
  }
  const assemble = (bucket: string, options: ListOptions): Page<ObjectRow> => {
    const page = createPage<ObjectRow>(options)
    for (let wanted = page.wanted(); wanted !== undefined; wanted = page.wanted())
      page.add(rows(bucket, wanted))
    return page
  }
  return {
    head(bucket, key) {
      const row = one.get(bucket, keyBytes(key))
      return row === undefined ? null : objectOfRow(row)
    },
    // In one transaction, or the bytes could be those of a later row.
    get: db.transaction((bucket: string, key: string, options: GetOptions): Found | null => {
      const row = one.get(bucket, keyBytes(key))
      if (row === undefined) return null
      const object = objectOfRow(row)
      if (!holds(options.onlyIf, object)) return { object }
      const content = contentOf(row, options.range)
      const { range } = content
      return { object: range === undefined ? object : { ...object, range }, content }
    }),
    list: db.transaction((bucket: string, options: ListOptions): ObjectListing => {
      const page = assemble(bucket, options)
      const objects = page.listed.map(({ row, bodied }) => {
        const object = shownOf(objectOfRow(row), options.include)
        return bodied ? { ...object, bytes: bytesOf(body.get(row.id)) } : object
      })
      return listingOf(page, objects)
    }),
  }
}

/** An empty body comes out of the database as nothing at all. */
function bytesOf(bytes: Buffer | null | undefined): Buffer {
  return bytes ?? Buffer.alloc(0)
}

function createScan(db: Database.Database) {
  const select = (behind: string) =>
    db.prepare<object, ObjectRow>(
      `SELECT ${COLUMNS} FROM objects WHERE bucket = @bucket AND key >= @from ${behind}
       ORDER BY key LIMIT @rows`,
    )
  const open = select('')
  const bounded = select('AND key < @to')
  return (bucket: string, { from, to, rows }: Wanted): readonly ObjectRow[] =>
    to === undefined ? open.all({ bucket, from, rows }) : bounded.all({ bucket, from, rows, to })
}
