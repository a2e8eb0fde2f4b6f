import { utf8 } from '../text.ts'
import { pageCursors, type PageCursors } from '../want/page.ts'
import { csvHeader, csvLine } from './csv.ts'
import type { Layout } from './layout.ts'
import type { OpenContainer, Output } from './output.ts'
import type { Projection } from './projection.ts'
import { createRows } from './rows.ts'
import type { RowValues } from './values.ts'

/** Writes the rows that stay, and what stands in their place. */
export interface RowWriter {
  /** The place behind which what is written may still be dropped. */
  readonly mark: number
  /** Bytes and values held for order and figures. */
  held(): number
  /** A row begins in `container`, where rows stand in their place. */
  begin(container: OpenContainer | undefined): void
  /** The row has ended: keeps or drops what was written of it. */
  finish(container: OpenContainer | undefined): void
  /** All rows are judged. */
  end(container: OpenContainer | undefined): void
  /** The cursors of the page, once all rows are judged. */
  page(): PageCursors | undefined
}

export interface RowWriterOptions {
  readonly projection: Projection
  readonly layout: Layout
  readonly output: Output
  readonly values: RowValues
}

const LINE_FEED = Uint8Array.of(0x0a)
const NULL = utf8('null')

export function createRowWriter({
  projection,
  layout,
  output,
  values,
}: RowWriterOptions): RowWriter {
  const rows = createRows(projection)
  let mark = 0
  let start = 0
  let written = 0
  if (layout === 'table') output.append(csvHeader(projection.columns))

  const separated = () => {
    written++
    if (layout === 'lines') output.append(LINE_FEED)
  }
  const drop = (container: OpenContainer | undefined) => {
    output.truncate(mark)
    if (container !== undefined) container.count--
  }

  return {
    get mark() {
      return mark
    },
    held: () => rows.held(),
    begin(container) {
      mark = output.place
      output.element(container, undefined)
      start = output.place
    },
    finish(container) {
      const verdict = rows.judge(values.lookup)
      if (verdict !== 'drop' && layout === 'table') output.append(csvLine(values.columns()))
      if (verdict === 'hold') rows.hold(output.copy(start))
      if (verdict === 'write' && output.place > start) separated()
      else drop(container)
    },
    end(container) {
      for (const bytes of rows.sorted()) {
        if (bytes.length === 0) continue
        output.element(container, undefined)
        output.append(bytes)
        separated()
      }
      if (layout === 'first' && written === 0) output.append(NULL)
      if (layout === 'figures') output.append(rows.figures())
    },
    page() {
      if (projection.window === undefined || projection.want.want?.shape === 'first') {
        return undefined
      }
      return pageCursors(projection.window, rows.more(), projection)
    },
  }
}
