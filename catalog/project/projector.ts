import type { PageCursors } from '../want/page.ts'
import { createByteBuffer } from './bytes.ts'
import { ProjectionFault } from './fault.ts'
import { Output } from './output.ts'
import type { Projection } from './projection.ts'
import { layoutOf, type InputForm, type Layout } from './layout.ts'
import { RowWriter } from './row-writer.ts'
import { Scanner } from './scanner.ts'
import { createRowValues } from './values.ts'
import { Walker } from './walker.ts'

export interface ProjectorOptions {
  /** What may be held at once: a row, a page, rows that are ordered, what stands before the rows. */
  readonly maxBytes: number
  readonly input: InputForm
}

/** The end of a projection. */
export interface Projected {
  readonly chunks: readonly Uint8Array[]
  /** Bytes of the document. */
  readonly before: number
  /** Bytes of the result, those that `push` gave included. */
  readonly after: number
  /** The page's cursors where the result has no members for them; they belong in header fields then. */
  readonly page?: PageCursors
}

/** Cuts one document down while it comes. A fault is thrown, and nothing comes behind it. */
export interface Projector {
  /** Media type of the result. */
  readonly mediaType: string
  /** Takes bytes, cut anywhere; gives what of the result is certain. Throws ProjectionFault. */
  push(chunk: Uint8Array): readonly Uint8Array[]
  /** Throws ProjectionFault where the document is not whole. */
  end(): Projected
}

/** Below this size a document without rows is written in one piece. */
const PIECE = 65_536

const MEDIA_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' }

/** Makes the projector of one document. */
export function createProjector(projection: Projection, options: ProjectorOptions): Projector {
  return new DocumentProjector(projection, options)
}

class DocumentProjector implements Projector {
  readonly mediaType: string
  readonly #projection: Projection
  readonly #options: RunOptions
  readonly #maxBytes: number
  readonly #maxResult: number
  #run: Run
  /** The document so far, for as long as it is not clear whether it has rows and that matters. */
  readonly #raw = createByteBuffer()
  #before = 0
  #after = 0

  constructor(projection: Projection, { maxBytes, input }: ProjectorOptions) {
    const layout = layoutOf(projection, input)
    this.mediaType = MEDIA_TYPES[projection.format ?? (layout === 'lines' ? 'ndjson' : 'json')]
    this.#projection = projection
    this.#options = { projection, layout, input, rowless: false }
    this.#maxBytes = maxBytes
    this.#maxResult = projection.want.want?.max_bytes ?? Number.POSITIVE_INFINITY
    this.#run = new Run(this.#options)
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    const run = this.#run
    if (this.#isUndecided()) this.#raw.append(chunk)
    run.push(chunk)
    this.#before += chunk.length
    this.#limit(this.#after + run.output.held, this.#maxResult)
    const piece = run.drain()
    this.#after += piece.length
    this.#limit(run.held() + (this.#isUndecided() ? this.#raw.length : 0), this.#maxBytes)
    return piece.length > 0 ? [piece] : NO_PIECES
  }

  end(): Projected {
    this.#run.end()
    if (this.#run.walker.rowsState === 'unseen') this.#endWithoutRows()
    const { output, walker, rowWriter } = this.#run
    this.#limit(this.#after + output.held, this.#maxResult)
    const last = output.take()
    this.#after += last.length
    const chunks = last.length > 0 ? [last] : NO_PIECES
    const page = walker.wrotePage ? undefined : rowWriter.page()
    const projected = { chunks, before: this.#before, after: this.#after }
    return page === undefined ? projected : { ...projected, page }
  }

  #isUndecided(): boolean {
    return this.#projection.undecided && this.#run.walker.rowsState === 'unseen'
  }

  #limit(bytes: number, most: number): void {
    if (bytes > most) throw new ProjectionFault('too_large', this.#before)
  }

  /** No rows came: what was written was a guess, and the whole document is cut as one value. */
  #endWithoutRows(): void {
    if (this.#projection.needsRows) throw new ProjectionFault('no_rows', this.#before)
    if (!this.#projection.undecided) return
    this.#run = new Run({ ...this.#options, rowless: true })
    this.#run.push(this.#raw.take())
    this.#run.end()
  }
}

interface RunOptions {
  readonly projection: Projection
  readonly layout: Layout
  readonly input: InputForm
  readonly rowless: boolean
}

/** The parts that read one document once. */
class Run {
  readonly output = new Output()
  readonly rowWriter: RowWriter
  readonly walker: Walker
  readonly #options: RunOptions
  readonly #scanner: Scanner

  constructor(options: RunOptions) {
    const { projection, layout, input, rowless } = options
    const { output } = this
    const lines = input === 'ndjson'
    const values = createRowValues(projection)
    this.#options = options
    this.rowWriter = new RowWriter({ projection, layout, output, values })
    const { rowWriter } = this
    this.walker = new Walker({ projection, layout, output, values, rowWriter, lines, rowless })
    this.#scanner = new Scanner(this.walker, { lines })
  }

  push(chunk: Uint8Array): void {
    this.walker.offset = this.#scanner.offset
    this.#scanner.push(chunk)
  }

  end(): void {
    this.#scanner.end()
    if (this.#options.input === 'ndjson') this.walker.endLines()
  }

  held(): number {
    return this.output.held + this.rowWriter.held()
  }

  /** Gives away what is certain. */
  drain(): Uint8Array {
    const isOpen = this.walker.rowsState === 'open'
    const isEnough = isOpen || this.output.held >= PIECE
    if (!isEnough || this.#waitsForRows() || this.#waitsForCursors()) return NOTHING
    return this.output.drain(this.walker.inRow ? this.rowWriter.mark : this.output.place)
  }

  /** Cursors that will be header fields must be known before the first byte goes. */
  #waitsForCursors(): boolean {
    const { projection, layout } = this.#options
    return projection.window !== undefined && (layout !== 'in_place' || !this.walker.hasRowsParent)
  }

  #waitsForRows(): boolean {
    const { needsRows, undecided } = this.#options.projection
    return this.walker.rowsState === 'unseen' && (needsRows || undecided)
  }
}

const NOTHING = new Uint8Array(0)
const NO_PIECES: readonly Uint8Array[] = []
