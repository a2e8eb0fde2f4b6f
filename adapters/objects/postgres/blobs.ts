import { Buffer } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Database } from '../../postgres/port.ts'
import { bucketFault } from '../rules/fault.ts'
import type { ByteRange } from '../rules/range.ts'

const PIECE_BYTES = 256 * 1024
/** A body on its way in is touched once in so many pieces, so that nobody sweeps it away. */
const TOUCH_EVERY = 64

/** A body in a synced file. */
export interface Upload {
  readonly file: string
  readonly size: number
  /** Hex. */
  readonly sha256: string
}

/** Makes sure that the database holds the body; what it has already is not sent again. */
export async function storeBlob(database: Database, { file, size, sha256 }: Upload): Promise<void> {
  const hash = Buffer.from(sha256, 'hex')
  const pieces = Math.ceil(size / PIECE_BYTES)
  const [row] = await database.query<{ whole: boolean }>(
    `INSERT INTO narrowgate.blobs (sha256, size, pieces) VALUES ($1, $2, $3)
     ON CONFLICT (sha256) DO UPDATE SET touched = clock_timestamp() RETURNING whole`,
    [hash, size, pieces],
  )
  if (row?.whole === true) return
  let n = 0
  for await (const piece of createReadStream(file, { highWaterMark: PIECE_BYTES })) {
    await database.query(
      'INSERT INTO narrowgate.blob_pieces VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [hash, n, piece as Buffer],
    )
    n += 1
    if (n % TOUCH_EVERY === 0)
      await database.query(
        'UPDATE narrowgate.blobs SET touched = clock_timestamp() WHERE sha256 = $1',
        [hash],
      )
  }
  await database.query(
    `UPDATE narrowgate.blobs SET whole = true, touched = clock_timestamp() WHERE sha256 = $1
       AND pieces = (SELECT count(*) FROM narrowgate.blob_pieces WHERE sha256 = $1)`,
    [hash],
  )
}

/** The bytes of a range, piece by piece as they are read. */
export function readBlob(database: Database, sha256: Buffer, range: ByteRange): Readable {
  return Readable.from(piecesOf(database, sha256, range), { objectMode: false })
}

async function* piecesOf(
  database: Database,
  sha256: Buffer,
  { offset, length }: ByteRange,
): AsyncGenerator<Buffer> {
  const end = offset + length
  for (let at = offset; at < end;) {
    const n = Math.floor(at / PIECE_BYTES)
    const start = n * PIECE_BYTES
    const [row] = await database.query<{ bytes: Buffer }>(
      'SELECT bytes FROM narrowgate.blob_pieces WHERE sha256 = $1 AND n = $2',
      [sha256, n],
    )
    if (row === undefined)
      throw bucketFault(
        'InternalError',
        'object: its bytes were swept away; it is no more what it was',
      )
    const piece = row.bytes.subarray(at - start, end - start)
    yield piece
    at += piece.length
  }
}
