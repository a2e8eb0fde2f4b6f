import { textOf, utf8 } from '../text.ts'
import { SKIP } from '../want/select.ts'
import { ProjectionFault } from './fault.ts'
import { frameOf, isContainer, placeIn, stays, type Frame, type Place } from './frames.ts'
import type { Layout } from './layout.ts'
import type { OpenContainer, Output } from './output.ts'
import type { Projection, RowPlan } from './projection.ts'
import type { RowWriter } from './row-writer.ts'
import { BYTES, PASS, WALK, type Visit, type Visitor } from './scanner.ts'
import type { RowValues } from './values.ts'

/** Where the rows are: not seen yet, being read, or over. */
type RowsState = 'unseen' | 'open' | 'over'

/** Walks the document beside the select tree, and writes what stays. */
export interface Walker extends Visitor {
  readonly rowsState: RowsState
  /** Whether a row is being read, so that what was written of it may still be dropped. */
  readonly inRow: boolean
  /** Whether the page's cursors were written as members beside the rows. */
  readonly wrotePage: boolean
  /** Whether the rows stand in an object that is written, which then takes the cursors. */
  readonly hasRowsParent: boolean
  /** Ends the rows of a document that is its lines. */
  endLines(): void
}

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
  /** Offset in the document, for faults. */
  readonly offset: () => number
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

export function createWalker(options: WalkerOptions): Walker {
  const { projection, output, values, rowWriter, layout } = options
  const path = options.rowless ? [] : (projection.rows ?? [])
  const bare = layout !== 'in_place'
  const frames: Frame[] = []
  const opens: Open[] = []
  let plan: RowPlan = projection.atRoot
  let name = ''
  let nameBytes: Uint8Array | undefined
  let copying = 0
  let rowsState: RowsState = 'unseen'
  let inRow = false
  let wrotePage = false

  const rootPlace = (first: number): Place => {
    const hasPath = first === OPEN_OBJECT && path.length > 0
    if (hasPath) plan = projection.atPath
    const select = hasPath || first === OPEN_ARRAY ? plan.root : projection.whole
    return { select: bare ? SKIP : select, capture: undefined, onPath: hasPath ? 0 : -1 }
  }
  const rowPlace = (): Place => {
    const isWritten = layout !== 'table' && layout !== 'figures'
    return { select: isWritten ? plan.row : SKIP, capture: plan.capture, onPath: -1 }
  }
  const placeOf = (parent: Frame | undefined, first: number): Place => {
    if (parent === undefined) return rootPlace(first)
    return parent.isRows ? rowPlace() : placeIn(parent, name, path)
  }
  const holdsRows = (frame: Frame) => path.length > 0 && frame.onPath === path.length - 1
  /** The page's own `cursor` and `next` take the place of the upstream's. */
  const isReplaced = (parent: Frame | undefined) =>
    (name === 'cursor' || name === 'next') &&
    projection.window !== undefined &&
    parent?.isObject === true &&
    holdsRows(parent)
  const canWrite = (parent: Frame | undefined) =>
    copying === 0 && (parent === undefined || parent.isRows || parent.written !== undefined)

  const beginRows = () => {
    rowsState = 'open'
    output.seal()
  }
  const endRows = (frame: Frame) => {
    rowWriter.end(frame.written)
    rowsState = 'over'
  }
  const beginRow = (parent: Frame) => {
    inRow = true
    values.clear()
    rowWriter.begin(parent.written)
  }
  const endRow = (parent: Frame) => {
    rowWriter.finish(parent.written)
    inRow = false
  }
  /** A value that does not stay: earlier copies of its member go, and a document cannot be nothing. */
  const leaveOut = (parent: Frame | undefined) => {
    if (parent === undefined && !bare) output.append(NULL)
    if (parent?.isObject && parent.written) output.retract(parent.written, name, options.offset())
  }
  /** Begins to write a value, where it stays. */
  const write = (parent: Frame | undefined, place: Place, value: Value): Written => {
    const stay = canWrite(parent) && stays(place.select, value.first) && !isReplaced(parent)
    if (!stay) {
      if (parent?.isRows !== true) leaveOut(parent)
      return UNWRITTEN
    }
    const memberName = parent?.isObject ? nameBytes : undefined
    // The comma before a row is the row writer's, who may drop the row again.
    const from = parent?.isRows ? output.place : output.element(parent?.written, memberName)
    const whole = place.select.mode === 'take' || !isContainer(value.first)
    const isCopied = whole && !value.onWay
    if (isCopied) copying++
    return {
      from,
      isCopied,
      container: isCopied ? undefined : output.open(value.first === OPEN_OBJECT),
    }
  }
  const capture = (place: Place, first: number) =>
    place.capture !== undefined && values.begin(place.capture, isContainer(first))
  const copy = (chunk: Uint8Array, from: number, to: number) => {
    if (layout === 'lines') copyOnLine(output, chunk, [from, to])
    else output.append(chunk, from, to)
  }
  const isRowsArray = (parent: Frame | undefined, place: Place, first: number) =>
    first === OPEN_ARRAY && (parent === undefined || leadsToRows(place, path))
  const writePage = (frame: Frame) => {
    const page = rowsState === 'over' ? rowWriter.page() : undefined
    if (page === undefined || frame.written === undefined || !holdsRows(frame)) return
    wrotePage = true
    for (const [key, value] of Object.entries(page)) {
      output.element(frame.written, utf8(JSON.stringify(key)))
      output.append(utf8(JSON.stringify(value)))
    }
  }
  const closeFrame = (frame: Frame) => {
    frames.pop()
    if (frame.isRows) endRows(frame)
    else if (frame.isObject) writePage(frame)
    if (frame.written !== undefined) output.close(frame.written)
  }
  const endLines = () => {
    const frame = frames[0]
    if (frame !== undefined) closeFrame(frame)
  }

  if (options.lines) {
    beginRows()
    const written = bare ? undefined : output.open(false)
    frames.push({ ...ROWS_FRAME, select: plan.root, written })
  }

  return {
    get rowsState() {
      return rowsState
    },
    get inRow() {
      return inRow
    },
    get hasRowsParent() {
      return plan === projection.atPath
    },
    get wrotePage() {
      return wrotePage
    },
    endLines,
    name(text, escaped) {
      nameBytes = text
      name = escaped ? (JSON.parse(textOf(text)) as string) : textOf(text.subarray(1, -1))
      const frame = frames.at(-1)!
      const capture = frame.capture?.members.get(name)
      if (capture !== undefined) values.forget(capture)
      // A second copy would take back rows that are already on their way.
      if (rowsState !== 'unseen' && frame.onPath >= 0 && path[frame.onPath] === name) {
        throw new ProjectionFault('duplicate_member', options.offset())
      }
    },
    start(first): Visit {
      const parent = frames.at(-1)
      const isRow = parent?.isRows === true
      if (isRow) beginRow(parent)
      const place = placeOf(parent, first)
      const isRows = isRowsArray(parent, place, first)
      if (isRows) beginRows()
      const onWay = isRows || (first === OPEN_OBJECT && place.onPath >= 0)
      const written = write(parent, place, { first, onWay })
      const isCaptured = capture(place, first)
      const walks = written.container !== undefined || onWay || isDeep(place, first)
      const frame = walks
        ? frameOf(place, first, { isRows, written: written.container })
        : undefined
      if (frame !== undefined) frames.push(frame)
      opens.push({ ...written, name, isRow, isCaptured, frame })
      return (walks ? WALK : PASS) | (written.isCopied || isCaptured ? BYTES : PASS)
    },
    end() {
      const open = opens.pop()!
      if (open.isCaptured) values.finish()
      if (open.isCopied) copying--
      if (open.frame !== undefined) closeFrame(open.frame)
      const parent = frames.at(-1)
      if (open.isRow) return endRow(parent!)
      if (open.frame?.written && parent?.isObject && parent.written) {
        output.wrote(parent.written, open.name, open.from)
      }
    },
    bytes(chunk, from, to) {
      if (copying > 0) copy(chunk, from, to)
      values.bytes(chunk, from, to)
    },
  }
}

const ROWS_FRAME = { isObject: false, capture: undefined, onPath: -1, isRows: true } as const

function leadsToRows(place: Place, path: readonly string[]): boolean {
  return path.length > 0 && place.onPath === path.length
}

/** Whether values inside a container are to be read. */
function isDeep({ capture }: Place, first: number): boolean {
  if (!isContainer(first) || capture === undefined) return false
  return capture.members.size > 0 || capture.elements !== undefined
}
