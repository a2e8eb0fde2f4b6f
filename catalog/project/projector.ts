import type { PageCursors } from '../want/page.ts'
import { createByteBuffer } from './bytes.ts'
import { ProjectionFault } from './fault.ts'
import { createOutput } from './output.ts'
import type { Projection } from './projection.ts'
import { layoutOf, type InputForm, type Layout } from './layout.ts'
import { createRowWriter } from './row-writer.ts'
import { createScanner } from './scanner.ts'
import { createRowValues } from './values.ts'
import { createWalker } from './walker.ts'

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
  const layout = layoutOf(projection, options.input)
  const format = projection.format ?? (layout === 'lines' ? 'ndjson' : 'json')
  const maxResult = projection.want.want?.max_bytes ?? Number.POSITIVE_INFINITY
  let run = createRun({ projection, layout, input: options.input, rowless: false })
  const raw = createByteBuffer()
  let before = 0
  let after = 0

  const isUndecided = () => projection.undecided && run.walker.rowsState === 'unseen'
  const limit = (bytes: number, most: number) => {
    if (bytes > most) throw new ProjectionFault('too_large', before)
  }
  const push = (chunk: Uint8Array): readonly Uint8Array[] => {
    if (isUndecided()) raw.append(chunk)
    run.scanner.push(chunk)
    before += chunk.length
    limit(after + run.output.held, maxResult)
    const piece = run.drain()
    after += piece.length
    limit(run.held() + (isUndecided() ? raw.length : 0), options.maxBytes)
    return piece.length > 0 ? [piece] : []
  }
  /** No rows came: what was written was a guess, and the whole document is cut as one value. */
  const withoutRows = () => {
    if (projection.needsRows) throw new ProjectionFault('no_rows', before)
    if (!projection.undecided) return
    run = createRun({ projection, layout, input: options.input, rowless: true })
    run.scanner.push(raw.copy())
    run.scanner.end()
  }

  return {
    mediaType: MEDIA_TYPES[format],
    push,
    end() {
      run.scanner.end()
      if (options.input === 'ndjson') run.walker.endLines()
      if (run.walker.rowsState === 'unseen') withoutRows()
      limit(after + run.output.held, maxResult)
      const last = run.output.drain(run.output.place)
      after += last.length
      const page = run.walker.wrotePage ? undefined : run.rowWriter.page()
      return { chunks: last.length > 0 ? [last] : [], before, after, ...(page && { page }) }
    },
  }
}

interface RunOptions {
  readonly projection: Projection
  readonly layout: Layout
  readonly input: InputForm
  readonly rowless: boolean
}

/** The parts that read one document once. */
function createRun({ projection, layout, input, rowless }: RunOptions) {
  const lines = input === 'ndjson'
  const output = createOutput()
  const values = createRowValues(projection)
  const rowWriter = createRowWriter({ projection, layout, output, values })
  const offset = (): number => scanner.offset
  const parts = { projection, layout, output, values, rowWriter }
  const walker = createWalker({ ...parts, lines, rowless, offset })
  const scanner = createScanner(walker, { lines })
  /** Cursors that will be header fields must be known before the first byte goes. */
  const waitsForCursors = () =>
    projection.window !== undefined && (layout !== 'in_place' || !walker.hasRowsParent)
  const waitsForRows = () =>
    walker.rowsState === 'unseen' && (projection.needsRows || projection.undecided)

  return {
    scanner,
    walker,
    output,
    rowWriter,
    held: () => output.held + rowWriter.held(),
    /** Gives away what is certain. */
    drain(): Uint8Array {
      const open = walker.rowsState === 'open'
      const enough = open || output.held >= PIECE
      if (!enough || waitsForRows() || waitsForCursors()) return NOTHING
      return output.drain(walker.inRow ? rowWriter.mark : output.place)
    },
  }
}

const NOTHING = new Uint8Array(0)
