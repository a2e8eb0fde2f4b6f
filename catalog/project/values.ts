import { textOf } from '../text.ts'
import { CONTAINER, type Lookup, type Values } from '../want/filter.ts'
import { createByteBuffer } from './bytes.ts'
import type { CaptureNode } from './capture.ts'
import type { Projection } from './projection.ts'

/** The values of the row at hand that filter, order, figures and columns read. */
export interface RowValues {
  /** Forgets all values: a new row begins. */
  clear(): void
  /** How many values of the row were read so far. */
  readonly count: number
  /** Forgets what an earlier copy of a member left behind `count`: the last one counts. */
  forget(node: CaptureNode, count: number): void
  /** A value begins at `node`; true where its bytes are wanted, and `finish` follows. */
  begin(node: CaptureNode, isContainer: boolean): boolean
  /** Takes bytes of the values that have begun. */
  bytes(chunk: Uint8Array, from: number, to: number): void
  /** The value that began last has ended. */
  finish(): void
  lookup: Lookup
  /** Raw JSON of each column's values. */
  columns(): readonly (readonly string[])[]
}

interface Begun {
  readonly node: CaptureNode
  readonly isContainer: boolean
  readonly from: number
}

/** Where nothing is read besides being copied. */
const NO_VALUES: RowValues = Object.freeze({
  count: 0,
  clear: () => undefined,
  forget: () => undefined,
  begin: () => false,
  bytes: () => undefined,
  finish: () => undefined,
  lookup: () => [],
  columns: () => [],
})

export function createRowValues(projection: Projection): RowValues {
  return projection.paths.length === 0 ? NO_VALUES : createSlots(projection)
}

function createSlots(projection: Projection): RowValues {
  const slots = new Map(fieldsOf(projection).map((path, slot) => [path, slot]))
  const firstColumn = projection.paths.length - projection.columns.length
  const values: unknown[][] = projection.paths.map(() => [])
  /** Of each value, how many were read before it. */
  const places: number[][] = projection.paths.map(() => [])
  let count = 0
  const buffer = createByteBuffer()
  const begun: Begun[] = []
  const isColumn = (slot: number) => slot >= firstColumn
  const add = (slot: number, value: unknown) => {
    values[slot]!.push(value)
    places[slot]!.push(count++)
  }

  return {
    get count() {
      return count
    },
    clear() {
      for (const list of [...values, ...places]) list.length = 0
      count = 0
    },
    forget(node, before) {
      for (const slot of node.below) {
        const list = places[slot]!
        while (list.length > 0 && list.at(-1)! >= before) list.pop()
        values[slot]!.length = list.length
      }
    },
    begin(node, isContainer) {
      if (node.slots.length === 0) return false
      if (isContainer) {
        for (const slot of node.slots) if (!isColumn(slot)) add(slot, CONTAINER)
        if (!node.slots.some(isColumn)) return false
      }
      begun.push({ node, isContainer, from: buffer.length })
      return true
    },
    bytes(chunk, from, to) {
      if (begun.length > 0) buffer.append(chunk, from, to)
    },
    finish() {
      const { node, isContainer, from } = begun.pop()!
      const json = textOf(buffer.copy(from))
      for (const slot of node.slots) {
        if (isColumn(slot)) add(slot, json)
        else if (!isContainer) add(slot, JSON.parse(json))
      }
      if (begun.length === 0) buffer.truncate(0)
    },
    lookup: (path): Values => values[slots.get(path) ?? -1] ?? [],
    columns: () => values.slice(firstColumn) as string[][],
  }
}

function fieldsOf(projection: Projection): readonly string[] {
  return projection.paths.slice(0, projection.paths.length - projection.columns.length)
}
