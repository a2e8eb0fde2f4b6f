import { memberOf, elementOf, type SelectNode } from '../want/select.ts'
import type { CaptureNode } from './capture.ts'
import type { OpenContainer } from './output.ts'

/** A container that is walked into. */
export interface Frame {
  readonly isObject: boolean
  readonly select: SelectNode
  readonly capture: CaptureNode | undefined
  /** Set where the container is written piece by piece. */
  readonly written: OpenContainer | undefined
  /** How many names of the rows' path lead here; -1 off that path. */
  readonly onPath: number
  readonly isRows: boolean
  /** How many values of the row were read before it: those of its own members come later. */
  readonly before: number
}

/** Where a value stands: what is wanted of it. */
export interface Place {
  readonly select: SelectNode
  readonly capture: CaptureNode | undefined
  readonly onPath: number
}

/**
 * The place of a value in `frame`; where that is an object, under `name`, which is undefined where the
 * projection does not speak of it.
 */
export function placeIn(frame: Frame, name: string | undefined, path: readonly string[]): Place {
  if (!frame.isObject) {
    return { select: elementOf(frame.select), capture: frame.capture?.elements, onPath: -1 }
  }
  const follows = frame.onPath >= 0 && path[frame.onPath] === name
  return {
    select: memberOf(frame.select, name),
    capture: name === undefined ? undefined : frame.capture?.members.get(name),
    onPath: follows ? frame.onPath + 1 : -1,
  }
}

/** Whether a value that begins with `first` stays at `select`. */
export function stays(select: SelectNode, first: number): boolean {
  if (first === 0x7b) return select.object
  return first === 0x5b ? select.array : select.scalar
}

/** Whether a value that begins with `first` is an object or array. */
export function isContainer(first: number): boolean {
  return first === 0x7b || first === 0x5b
}

/** The frame of a container that begins with `first`. */
export function frameOf(
  place: Place,
  first: number,
  how: Pick<Frame, 'isRows' | 'written' | 'before'>,
): Frame {
  const { select, capture, onPath } = place
  const { isRows, written, before } = how
  return { isObject: first === 0x7b, select, capture, written, onPath, isRows, before }
}

/** Whether values inside a container are to be read. */
export function isDeep({ capture }: Place, first: number): boolean {
  if (!isContainer(first) || capture === undefined) return false
  return capture.members.size > 0 || capture.elements !== undefined
}
