import { Buffer } from 'node:buffer'
import type { ListedObject, ListOptions, ObjectListing } from '../bucket.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { checkList, INLINE_BYTES, keyBytes, LISTED_BODY_BYTES, MAX_LISTED } from './limits.ts'

/** With a delimiter most rows may fall into prefixes that are known already: fewer are read ahead. */
const DELIMITED_ROWS = 64
const EMPTY = Buffer.alloc(0)

/** Which rows are asked for next: keys from `from` on, before `to`, in the order of their bytes. */
export interface Wanted {
  readonly from: Buffer
  /** Undefined: to the end. */
  readonly to: Buffer | undefined
  readonly rows: number
}

/** What the assembly must know of a row. */
export interface PageRow {
  readonly key: Buffer
  /** Bytes. */
  readonly size: number
}

/** A row that comes into the listing. */
export interface Listed<Row> {
  readonly row: Row
  /** Whether its bytes come with it. */
  readonly bodied: boolean
}

/** Assembles one page of a listing from rows that somebody else reads. */
export interface Page<Row extends PageRow> {
  /** Undefined once the page stands. */
  wanted(): Wanted | undefined
  /** Takes the rows that were asked for; fewer than asked means that there are no more. */
  add(rows: readonly Row[]): void
  readonly listed: readonly Listed<Row>[]
  readonly delimitedPrefixes: readonly string[]
  /** Where the next page begins; undefined at the end of the listing. */
  cursor(): string | undefined
}

/**
 * Keys that share what comes before the first delimiter behind the prefix are one entry. Bodies are given out in the
 * order of keys as long as there is room; what was given out before is in the cursor.
 * @throws BucketError InvalidMaxKeys, InvalidArgument
 */
export function createPage<Row extends PageRow>(options: ListOptions): Page<Row> {
  checkList(options)
  const { limit = MAX_LISTED, include = [] } = options
  const prefix = keyBytes(options.prefix ?? '')
  const delimiter = keyBytes(options.delimiter ?? '')
  const to = prefix.length === 0 ? undefined : behindAll(prefix)
  const resumed = options.cursor === undefined ? undefined : readCursor(options.cursor)
  const listed: Listed<Row>[] = []
  const prefixes: string[] = []
  let at = startOf(options, prefix, resumed?.at)
  let given = resumed?.given ?? 0
  let asked = 0
  let state: 'open' | 'full' | 'ended' = 'open'

  const groupOf = (key: Buffer): Buffer | undefined => {
    if (delimiter.length === 0) return undefined
    const found = key.indexOf(delimiter, prefix.length)
    return found < 0 ? undefined : key.subarray(0, found + delimiter.length)
  }
  const take = (row: Row): void => {
    const group = groupOf(row.key)
    if (group !== undefined) {
      prefixes.push(group.toString('utf8'))
      at = behindAll(group)
      return
    }
    const bodied =
      include.includes('body') && row.size <= INLINE_BYTES && given + row.size <= LISTED_BODY_BYTES
    if (bodied) given += row.size
    listed.push({ row, bodied })
    at = behind(row.key)
  }
  return {
    listed,
    delimitedPrefixes: prefixes,
    wanted() {
      if (state !== 'open') return undefined
      // One more than has room tells whether the listing goes on.
      const left = limit - listed.length - prefixes.length + 1
      asked = delimiter.length === 0 ? left : DELIMITED_ROWS
      return { from: at, to, rows: asked }
    },
    add(rows) {
      for (const row of rows) {
        if (row.key.compare(at) < 0) continue
        if (listed.length + prefixes.length === limit) {
          state = 'full'
          return
        }
        take(row)
      }
      if (rows.length < asked) state = 'ended'
    },
    cursor: () => (state === 'full' ? writeCursor(at, given) : undefined),
  }
}

/** What a page that stands has become; the objects are those that it listed. */
export function listingOf(
  { delimitedPrefixes, cursor }: Pick<Page<PageRow>, 'delimitedPrefixes' | 'cursor'>,
  objects: readonly ListedObject[],
): ObjectListing {
  const next = cursor()
  return {
    objects,
    delimitedPrefixes,
    truncated: next !== undefined,
    ...(next === undefined ? {} : { cursor: next }),
  }
}

/** Where the listing begins: the furthest of what was said. */
function startOf(options: ListOptions, prefix: Buffer, resumed: Buffer = EMPTY): Buffer {
  const after = options.startAfter === undefined ? EMPTY : behind(keyBytes(options.startAfter))
  return [prefix, after, resumed].reduce((a, b) => (a.compare(b) >= 0 ? a : b))
}

/** The first key behind this one. */
function behind(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.of(0)])
}

/** The first bytes behind all keys that begin with these; UTF-8 has no byte 0xff, so the last one can grow. */
function behindAll(prefix: Buffer): Buffer {
  const next = Buffer.from(prefix)
  next[next.length - 1]! += 1
  return next
}
