import type { ArgStyle } from '../tool.ts'

/** Between the elements of a list that is one value. */
export const DELIMITERS: Readonly<Partial<Record<ArgStyle, string>>> = {
  comma: ',',
  space: ' ',
  tab: '\t',
  pipe: '|',
}

/** Names in brackets one in another: `a[b][c]` has three. */
export const DEEPEST = 32

/** A name that can stand in brackets. */
export function isBracketName(name: string): boolean {
  return name !== '' && !/[[\]]/.test(name)
}

/** Whether names in brackets are those of a list: 0, 1, 2 and so on, in that order. */
export function areIndexes(names: readonly string[]): boolean {
  return names.length > 0 && names.every((name, at) => name === String(at))
}
