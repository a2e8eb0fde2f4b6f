import { utf8 } from '../text.ts'
import { pageCursors, type PageCursors } from '../want/page.ts'
import { csvHeader, csvLine } from './csv.ts'
import type { Layout } from './layout.ts'
import type { OpenContainer, Output } from './output.ts'
import type { Projection } from './projection.ts'
import { Rows } from './rows.ts'
import type { RowValues } from './values.ts'

export interface RowWriterOptions {
  readonly projection: Projection
  readonly layout: Layout
  readonly output: Output
  readonly values: RowValues
}

const LINE_FEED = Uint8Array.of(0x0a)
const NULL = utf8('null')

/** Writes the rows that stay, and what stands in their place. */
export class RowWriter {
  readonly #options: RowWriterOptions
  readonly #rows: Rows
  #mark = 0
  #start = 0
  #written = 0

  constructor(options: RowWriterOptions) {
    const { projection, layout, output } = options
    this.#options = options
    this.#rows = new Rows(projection)
    if (layout === 'table') output.append(csvHeader(projection.columns))
  }

  /** The place behind which what is written may still be dropped. */
  get mark(): number {
    return this.#mark
  }

  /** Bytes and values held for order and figures. */
  held(): number {
    return this.#rows.held()
  }

  /** A row begins in `container`, where rows stand in their place. */
  begin(container: OpenContainer | undefined): void {
    const { output } = this.#options
    this.#mark = output.place
    output.element(container, undefined)
    this.#start = output.place
  }

  /** The row has ended: keeps or drops what was written of it. */
  finish(container: OpenContainer | undefined): void {
    const { layout, output, values } = this.#options
    const verdict = this.#rows.judge(values.lookup)
    if (verdict !== 'drop' && layout === 'table') output.append(csvLine(values.columns()))
    if (verdict === 'hold') this.#rows.hold(output.copy(this.#start))
    if (verdict === 'write' && output.place > this.#start) return this.#separate()
    output.truncate(this.#mark)
    if (container !== undefined) container.count--
  }

  /** All rows are judged. */
  end(container: OpenContainer | undefined): void {
    const { layout, output } = this.#options
    for (const bytes of this.#rows.sorted()) {
      if (bytes.length === 0) continue
      output.element(container, undefined)
      output.append(bytes)
      this.#separate()
    }
    if (layout === 'first' && this.#written === 0) output.append(NULL)
    if (layout === 'figures') output.append(this.#rows.figures())
  }

  /** The cursors of the page, once all rows are judged. */
  page(): PageCursors | undefined {
    const { projection } = this.#options
    const { window, want } = projection
    if (window === undefined || want.want?.shape === 'first') return undefined
    return pageCursors(window, this.#rows.more(), projection)
  }

  #separate(): void {
    this.#written++
    if (this.#options.layout === 'lines') this.#options.output.append(LINE_FEED)
  }
}
