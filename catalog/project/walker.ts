import { utf8 } from '../text.ts'
import { SKIP, memberOf } from '../want/select.ts'
import { ProjectionFault } from './fault.ts'
import { frameOf, isContainer, placeIn, stays, type Frame, type Place } from './frames.ts'
import type { Layout } from './layout.ts'
import { nameText, type SpelledName } from './names.ts'
import type { OpenContainer, Output } from './output.ts'
import type { Projection, RowPlan } from './projection.ts'
import type { RowWriter } from './row-writer.ts'
import { BYTES, END, PASS, WALK, type Visit, type Visitor } from './scanner.ts'
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

/** How a value is written: copied whole, as a container piece by piece, or not at all. */
interface Written {
  readonly from: number
  readonly isCopied: boolean
  readonly container: OpenContainer | undefined
}

/** A value that was begun, and what is to be done at its end. */
interface Open extends Written {
  /** Of a member that is written in pieces. */
  readonly name: string
  readonly isRow: boolean
  readonly isCaptured: boolean
  readonly frame: Frame | undefined
}

const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const LINE_FEED = 0x0a
const RETURN = 0x0d
const NULL = utf8('null')
const NO_PATH: readonly string[] = []
const UNWRITTEN: Written = Object.freeze({ from: 0, isCopied: false, container: undefined })

/** Copies without line ends: a raw one can only be white space, and a row must stay on its line. */
function copyOnLine(
  output: Output,
  chunk: Uint8Array,
  [from, to]: readonly [number, number],
): void {
  let start = from
  for (let at = from; at < to; at++) {
    if (chunk[at] !== LINE_FEED && chunk[at] !== RETURN) continue
    output.append(chunk, start, at)
    start = at + 1
  }
  output.append(chunk, start, to)
}

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
    if (capture !== undefined) this.#options.values.forget(capture)
    // A second copy would take back rows that are already on their way.
    if (this.rowsState !== 'unseen' && frame.onPath >= 0 && this.#path[frame.onPath] === name) {
      throw new ProjectionFault('duplicate_member', this.offset)
    }
  }

  start(first: number): Visit {
    const parent = this.#frame
    const isRow = parent !== undefined && parent.isRows
    if (isRow) this.#beginRow(parent)
    else if (parent !== undefined && this.#isUnasked(parent)) return PASS
    const place = this.#placeOf(parent, first)
    const isRows = this.#isRowsArray(parent, place, first)
    if (isRows) this.#beginRows()
    const onWay = isRows || (first === OPEN_OBJECT && place.onPath >= 0)
    const written = this.#write(parent, place, { first, onWay })
    const isCaptured =
      place.capture !== undefined && this.#options.values.begin(place.capture, isContainer(first))
    const walks = written.container !== undefined || onWay || isDeep(place, first)
    if (!walks && !written.isCopied && !isCaptured && !isRow) return PASS
    const frame = walks ? frameOf(place, first, { isRows, written: written.container }) : undefined
    const { from, isCopied, container } = written
    const name = container !== undefined && parent?.isObject ? this.#nameText() : ''
    this.#opens.push({ from, isCopied, container, name, isRow, isCaptured, frame })
    if (frame !== undefined) this.#enter(frame)
    return END | (walks ? WALK : PASS) | (isCopied || isCaptured ? BYTES : PASS)
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
      if (this.#options.layout === 'lines') copyOnLine(this.#output, chunk, [from, to])
      else this.#output.append(chunk, from, to)
    }
    this.#options.values.bytes(chunk, from, to)
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

const ROWS_FRAME = { isObject: false, capture: undefined, onPath: -1, isRows: true } as const

/** Whether values inside a container are to be read. */
function isDeep({ capture }: Place, first: number): boolean {
  if (!isContainer(first) || capture === undefined) return false
  return capture.members.size > 0 || capture.elements !== undefined
}
