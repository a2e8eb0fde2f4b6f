import { utf8 } from '@scure/base'

const LF = 0x0a

/** A place in a text, for people: both figures begin with 1. */
export interface TextPlace {
  readonly line: number
  /** In UTF-16 units. */
  readonly column: number
  /** `line:column`. */
  readonly text: string
}

/** The place of a byte of a text's UTF-8. */
export function placeIn(text: string, byte: number): TextPlace {
  const before = utf8.decode(text).subarray(0, byte)
  const start = before.lastIndexOf(LF) + 1
  const line = before.reduce((lines, each) => (each === LF ? lines + 1 : lines), 1)
  const column = utf8.encode(before.subarray(start)).length + 1
  return { line, column, text: `${line}:${column}` }
}

/** How many bytes a text has in UTF-8. */
export function utf8Length(text: string): number {
  return utf8.decode(text).length
}
