import type Database from 'better-sqlite3'
import type { OnlyIf, StoredObject } from '../bucket.ts'
import { conditionSql } from '../rules/condition-sql.ts'
import { keyBytes } from '../rules/limits.ts'
import { objectOf } from '../rules/object.ts'
import type { Blobs } from './blobs.ts'
import type { ObjectCall } from './protocol.ts'
import { rowOf } from './rows.ts'

type Put = Extract<ObjectCall, { name: 'put' }>

export interface Writer {
  /** Null where the condition does not hold: then nothing has changed, and a file is where it was. */
  put(call: Put): StoredObject | null
  delete(bucket: string, keys: readonly string[]): void
}

const SET = `version = @version, size = @size, etag = @etag, uploaded = @uploaded, checksums = @checksums,
  http = @http, custom = @custom, blob = @blob`

export function createWriter(db: Database.Database, blobs: Blobs): Writer {
  const blobOf = db
    .prepare<[string, Buffer], string | null>(
      'SELECT blob FROM objects WHERE bucket = ? AND key = ?',
    )
    .pluck()
  const keep = db.prepare<[number, Uint8Array]>('INSERT OR REPLACE INTO bodies VALUES (?, ?)')
  const drop = db.prepare<[number]>('DELETE FROM bodies WHERE object = ?')
  const remove = db.prepare<[string, Buffer]>('DELETE FROM objects WHERE bucket = ? AND key = ?')
  const upsert = createUpsert(db)

  const store = db.transaction(({ bucket, facts, place, onlyIf }: Put): StoredObject | null => {
    const row = rowOf(facts)
    const blob = 'file' in place ? (facts.checksums.sha256 ?? '') : null
    const before = blobOf.get(bucket, row.key)
    const id = upsert({ ...row, bucket, blob }, onlyIf)
    if (id === undefined) return null
    if ('file' in place) drop.run(id)
    else keep.run(id, place.bytes)
    if ('file' in place && blob !== null) blobs.place(place.file, blob)
    if (typeof before === 'string' && before !== blob) blobs.suspect(before)
    return objectOf(facts)
  })
  return {
    put(call) {
      // Told beforehand: what a crash leaves between the file's name and the row's commit is found by this.
      if ('file' in call.place) blobs.suspect(call.facts.checksums.sha256 ?? '')
      return store.immediate(call)
    },
    delete(bucket, keys) {
      db.transaction(() => {
        for (const key of keys.map(keyBytes)) {
          const blob = blobOf.get(bucket, key)
          if (typeof blob === 'string') blobs.suspect(blob)
          remove.run(bucket, key)
        }
      }).immediate()
    },
  }
}

/** Writes the row by one statement that holds the condition; gives its id, or undefined where that did not hold. */
function createUpsert(db: Database.Database) {
  const statements = new Map<string, Database.Statement<object, number>>()
  const statementOf = (text: string) => {
    const known = statements.get(text)
    if (known !== undefined) return known
    const made = db.prepare<object, number>(text).pluck()
    // Conditions with lists of many lengths must not pile up.
    if (statements.size < 100) statements.set(text, made)
    return made
  }
  return (row: object, onlyIf: OnlyIf | undefined): number | undefined => {
    const values: Record<string, string | number> = {}
    const { onNone, where } = conditionSql(onlyIf, (value) => {
      const name = `c${Object.keys(values).length}`
      values[name] = value
      return `@${name}`
    })
    const text = onNone
      ? `INSERT INTO objects (bucket, key, version, size, etag, uploaded, checksums, http, custom, blob)
         VALUES (@bucket, @key, @version, @size, @etag, @uploaded, @checksums, @http, @custom, @blob)
         ON CONFLICT (bucket, key) DO UPDATE SET ${SET} WHERE ${where} RETURNING id`
      : `UPDATE objects SET ${SET} WHERE bucket = @bucket AND key = @key AND ${where} RETURNING id`
    return statementOf(text).get({ ...row, ...values })
  }
}
