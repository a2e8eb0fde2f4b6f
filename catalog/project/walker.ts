import { utf8 } from '../text.ts'
import { SKIP, memberOf } from '../want/select.ts'
import { ProjectionFault } from './fault.ts'
import { frameOf, isContainer, isDeep, placeIn, stays, type Frame, type Place } from './frames.ts'
import type { Layout } from './layout.ts'
import { nameText, type SpelledName } from './names.ts'
import { openOf, UNWRITTEN, visitOf, type Open, type Written } from './opens.ts'
import type { Output } from './output.ts'
import type { Projection, RowPlan } from './projection.ts'
import type { RowWriter } from './row-writer.ts'
import { PASS, type Visit, type Visitor } from './visitor.ts'
import type { RowValues } from './values.ts'

/** Where the rows are: not seen yet, being read, or over. */
type RowsState = 'unseen' | 'open' | 'over'

export interface WalkerOptions {
  readonly projection: Projection
  readonly layout: Layout
  readonly output: Output
  readonly values: RowValues
  readonly rowWriter: RowWriter
  /** The documents are rows, one a line. */
  readonly lines: boolean
  /** The document is known to have no rows. */
  readonly rowless: boolean
}

interface Value {
  readonly first: number
  /** Whether it must be walked into, since it is or leads to the rows. */
  readonly onWay: boolean
}

interface Begun {
  readonly first: number
  readonly isRows: boolean
  readonly written: Written
}

const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const NULL = utf8('null')
const NO_PATH: readonly string[] = []

/** Walks the document beside the select tree, and writes what stays. */
export class Walker implements Visitor {
  rowsState: RowsState = 'unseen'
  /** Whether a row is being read, so that what was written of it may still be dropped. */
  inRow = false
  /** Whether the page's cursors were written as members beside the rows. */
  wrotePage = false
  /** Bytes before the chunk at hand, for faults. */
  offset = 0
  readonly #options: WalkerOptions
  readonly #output: Output
  /** Names that lead to the rows. */
  readonly #path: readonly string[]
  /** Rows leave alone, without what is around them. */
  readonly #isBare: boolean
  readonly #frames: Frame[] = []
  readonly #opens: Open[] = []
  #frame: Frame | undefined
  #plan: RowPlan
  /** The last name: its text where the projection speaks of it, and its bytes. */
  #name: string | undefined
  #spelled: SpelledName | undefined
  #copying = 0

  constructor(options: WalkerOptions) {
    const { projection, layout, output } = options
    this.#options = options
    this.#output = output
    this.#path = (options.rowless ? undefined : projection.rows) ?? NO_PATH
    this.#isBare = layout !== 'in_place'
    this.#plan = projection.atRoot
    if (!options.lines) return
    this.#beginRows()
    const written = this.#isBare ? undefined : output.open(false)
    this.#enter({ ...ROWS_FRAME, select: this.#plan.root, written })
  }

  /** Whether the rows stand in an object that is written, which then takes the cursors. */
  get hasRowsParent(): boolean {
    return this.#plan === this.#options.projection.atPath
  }

  /** Ends the rows of a document that is its lines. */
  endLines(): void {
    if (this.#frame !== undefined) this.#closeFrame(this.#frame)
  }

  name(spelled: SpelledName): void {
    const frame = this.#frame!
    const name = this.#options.projection.names.find(spelled)
    this.#spelled = spelled
    this.#name = name
    if (name === undefined) return
    const capture = frame.capture?.members.get(name)
    if (capture !== undefined) this.#options.values.forget(capture, frame.before)
    // A second copy would take back rows that are already on their way.
    if (this.rowsState !== 'unseen' && frame.onPath >= 0 && this.#path[frame.onPath] === name) {
      throw new ProjectionFault('duplicate_member', this.offset)
    }
  }

  start(first: number): Visit {
    const parent = this.#frame
    if (parent !== undefined) {
      if (parent.isRows) this.#beginRow(parent)
      else if (this.#isUnasked(parent)) return PASS
    }
    return this.#begin(parent, first)
  }

  end(): void {
    const open = this.#opens.pop()!
    if (open.isCaptured) this.#options.values.finish()
    if (open.isCopied) this.#copying--
    if (open.frame !== undefined) this.#closeFrame(open.frame)
    const parent = this.#frame
    if (open.isRow) return this.#endRow(parent!)
    if (open.frame?.written && parent?.isObject && parent.written) {
      this.#output.wrote(parent.written, open.name, open.from)
    }
  }

  bytes(chunk: Uint8Array, from: number, to: number): void {
    if (this.#copying > 0) {
      if (this.#options.layout === 'lines') this.#output.appendOnLine(chunk, from, to)
      else this.#output.append(chunk, from, to)
    }
    this.#options.values.bytes(chunk, from, to)
  }

  #begin(parent: Frame | undefined, first: number): Visit {
    const isRow = parent?.isRows === true
    const place = this.#placeOf(parent, first)
    const isRows = this.#isRowsArray(parent, place, first)
    if (isRows) this.#beginRows()
    const onWay = isRows || (first === OPEN_OBJECT && place.onPath >= 0)
    const written = this.#write(parent, place, { first, onWay })
    const isCaptured = this.#capture(place, first)
    const takes = written.isCopied || isCaptured
    const walks = onWay || written.container !== undefined || isDeep(place, first)
    if (!walks && !takes && !isRow) return PASS
    const frame = walks ? this.#frameOf(place, { first, isRows, written }) : undefined
    const name = written.container === undefined ? '' : this.#memberName(parent)
    this.#opens.push(openOf(written, { name, isRow, isCaptured, frame }))
    if (frame !== undefined) this.#enter(frame)
    return visitOf(walks, takes)
  }

  /** Members that nothing asks for are most of most documents. */
  #isUnasked({ isObject, select, capture, onPath }: Frame): boolean {
    if (!isObject || memberOf(select, this.#name).mode !== 'skip') return false
    return this.#name === undefined || (capture === undefined && onPath < 0)
  }

  #enter(frame: Frame): void {
    this.#frames.push(frame)
    this.#frame = frame
  }

  #frameOf(place: Place, { first, isRows, written }: Begun): Frame {
    const { count } = this.#options.values
    return frameOf(place, first, { isRows, written: written.container, before: count })
  }

  #capture({ capture }: Place, first: number): boolean {
    if (capture === undefined) return false
    return this.#options.values.begin(capture, isContainer(first))
  }

  #memberName(parent: Frame | undefined): string {
    return parent?.isObject ? this.#nameText() : ''
  }

  #nameText(): string {
    return this.#name ?? nameText(this.#spelled!)
  }

  #rootPlace(first: number): Place {
    const { projection } = this.#options
    const hasPath = first === OPEN_OBJECT && this.#path.length > 0
    if (hasPath) this.#plan = projection.atPath
    const select = hasPath || first === OPEN_ARRAY ? this.#plan.root : projection.whole
    return {
      select: this.#isBare ? SKIP : select,
      capture: undefined,
      onPath: hasPath ? 0 : -1,
    }
  }

  #placeOf(parent: Frame | undefined, first: number): Place {
    if (parent === undefined) return this.#rootPlace(first)
    if (!parent.isRows) return placeIn(parent, this.#name, this.#path)
    const { layout } = this.#options
    const isWritten = layout !== 'table' && layout !== 'figures'
    const { row, capture } = this.#plan
    return { select: isWritten ? row : SKIP, capture, onPath: -1 }
  }

  #isRowsArray(parent: Frame | undefined, { onPath }: Place, first: number): boolean {
    const { length } = this.#path
    return first === OPEN_ARRAY && (parent === undefined || (length > 0 && onPath === length))
  }

  #holdsRows(frame: Frame): boolean {
    return this.#path.length > 0 && frame.onPath === this.#path.length - 1
  }

  /** The page's own `cursor` and `next` take the place of the upstream's. */
  #isReplaced(parent: Frame | undefined): boolean {
    if (this.#options.projection.window === undefined || parent?.isObject !== true) return false
    return (this.#name === 'cursor' || this.#name === 'next') && this.#holdsRows(parent)
  }

  #canWrite(parent: Frame | undefined): boolean {
    if (this.#copying > 0) return false
    return parent === undefined || parent.isRows || parent.written !== undefined
  }

  #beginRows(): void {
    this.rowsState = 'open'
    this.#output.seal()
  }

  #beginRow(parent: Frame): void {
    this.inRow = true
    this.#options.values.clear()
    this.#options.rowWriter.begin(parent.written)
  }

  #endRow(parent: Frame): void {
    this.#options.rowWriter.finish(parent.written)
    this.inRow = false
  }

  /** A value that does not stay: earlier copies of its member go, and a document cannot be nothing. */
  #leaveOut(parent: Frame | undefined): void {
    if (parent === undefined && !this.#isBare) this.#output.append(NULL)
    if (!parent?.isObject || parent.written?.members === undefined) return
    this.#output.retract(parent.written, this.#nameText(), this.offset)
  }

  /** Begins to write a value, where it stays. */
  #write(parent: Frame | undefined, { select }: Place, { first, onWay }: Value): Written {
    if (!this.#canWrite(parent) || !stays(select, first) || this.#isReplaced(parent)) {
      if (parent?.isRows !== true) this.#leaveOut(parent)
      return UNWRITTEN
    }
    const output = this.#output
    const name = parent?.isObject ? this.#spelled : undefined
    // The comma before a row is the row writer's, who may drop the row again.
    const from = parent?.isRows ? output.place : output.element(parent?.written, name)
    const isCopied = !onWay && (select.mode === 'take' || !isContainer(first))
    if (isCopied) this.#copying++
    return { from, isCopied, container: isCopied ? undefined : output.open(first === OPEN_OBJECT) }
  }

  #closeFrame(frame: Frame): void {
    this.#frames.pop()
    this.#frame = this.#frames[this.#frames.length - 1]
    if (frame.isRows) {
      this.#options.rowWriter.end(frame.written)
      this.rowsState = 'over'
    } else if (frame.isObject) this.#writePage(frame)
    if (frame.written !== undefined) this.#output.close(frame.written)
  }

  #writePage(frame: Frame): void {
    if (this.rowsState !== 'over' || frame.written === undefined || !this.#holdsRows(frame)) return
    const page = this.#options.rowWriter.page()
    if (page === undefined) return
    this.wrotePage = true
    for (const [key, value] of Object.entries(page)) {
      const bytes = utf8(JSON.stringify(key))
      this.#output.element(frame.written, { bytes, from: 0, to: bytes.length, escaped: false })
      this.#output.append(utf8(JSON.stringify(value)))
    }
  }
}

const ROWS_FRAME = {
  isObject: false,
  capture: undefined,
  onPath: -1,
  isRows: true,
  before: 0,
} as const
