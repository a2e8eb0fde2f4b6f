import { setImmediate as turn } from 'node:timers/promises'
import { ByteWriter, parquetWriteRows } from 'hyparquet-writer'
import type { FeedItem } from '../../ledger/port.ts'
import { COLUMNS, rowOf, type ColumnValue } from './columns.ts'

/** A group is written at once, and the event loop has to wait for it. */
const GROUP_ROWS = 1000
/** So many rows are read before others get their turn. */
const SLICE_ROWS = 200

/** Items as a Parquet file: version 2 of the format, Snappy. */
export async function parquetOf(items: AsyncIterable<FeedItem>): Promise<Buffer> {
  const writer = new ByteWriter()
  await parquetWriteRows({
    writer,
    rows: rowsOf(items),
    columns: COLUMNS.map(({ name, type }) => ({ name, type, nullable: true })),
    rowGroupSize: GROUP_ROWS,
    createdBy: 'narrowgate',
  })
  return Buffer.from(writer.getBuffer())
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
