import { setImmediate as turn } from 'node:timers/promises'
import { ByteWriter, parquetWriteRows, type Writer } from 'hyparquet-writer'
import type { FeedItem } from '../../ledger/port.ts'
import { COLUMNS, rowOf, type ColumnValue } from './columns.ts'

/** A group is written at once, and the event loop has to wait for it. */
const GROUP_ROWS = 1000
/** So many rows are read before others get their turn. */
const SLICE_ROWS = 200

/** Writes items as a Parquet file (version 2, Snappy), group by group: a piece is taken before the next one is made. */
export async function writeParquet(
  items: AsyncIterable<FeedItem>,
  take: (piece: Buffer) => Promise<void> | void,
): Promise<void> {
  await parquetWriteRows({
    writer: pieceWriter(take),
    rows: rowsOf(items),
    columns: COLUMNS.map(({ name, type }) => ({ name, type, nullable: true })),
    rowGroupSize: GROUP_ROWS,
    createdBy: 'narrowgate',
  })
}

/** Hands over what is in its buffer when a group is whole. */
function pieceWriter(take: (piece: Buffer) => Promise<void> | void): Writer {
  const writer = new ByteWriter()
  const flush = async () => {
    // Copied: the buffer is filled again.
    const piece = Buffer.from(new Uint8Array(writer.buffer, 0, writer.index))
    writer.index = 0
    await take(piece)
  }
  return Object.assign<ByteWriter, Pick<Writer, 'flush' | 'finish'>>(writer, {
    flush,
    finish: flush,
  })
}

async function* rowsOf(
  items: AsyncIterable<FeedItem>,
): AsyncGenerator<Readonly<Record<string, ColumnValue>>> {
  let rows = 0
  for await (const item of items) {
    const values = rowOf(item)
    yield Object.fromEntries(COLUMNS.map(({ name }, at) => [name, values[at]]))
    rows += 1
    if (rows % SLICE_ROWS === 0) await turn()
  }
}
