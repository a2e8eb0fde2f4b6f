/** How many typing errors a word of this length may have. */
export function allowanceOf(word: string): number {
  if (word.length < 4) return 0
  return word.length < 8 ? 1 : 2
}

/** The letters of a word as bits, each letter one of 31: what two words do not share tells how far apart they are at least. */
export function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % 31)
  return letters
}

/** False where the letters alone say that two words are too far apart: an edit changes at most two bits. */
export function mayBeWithin(a: number, b: number, most: number): boolean {
  let different = a ^ b
  for (let left = 2 * most; different !== 0; left--) {
    if (left === 0) return false
    different &= different - 1
  }
  return true
}

/**
 * Whether two words are at most `most` insertions, deletions, replacements or swaps of neighbours apart
 * (Damerau-Levenshtein in its restricted form: no part is edited twice).
 */
export function isWithin(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  if (a === b) return true
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const cost = distanceAt({ a, b, row, column }, { line, above, before })
      line.push(cost)
      if (cost < least) least = cost
    }
    if (least > most) return false
    before = above
    above = line
  }
  return above[b.length]! <= most
}

interface Cell {
  readonly a: string
  readonly b: string
  readonly row: number
  readonly column: number
}

interface Lines {
  readonly line: readonly number[]
  readonly above: readonly number[]
  readonly before: readonly number[]
}

function distanceAt({ a, b, row, column }: Cell, { line, above, before }: Lines): number {
  const same = a[row - 1] === b[column - 1]
  const edited = Math.min(
    above[column]! + 1,
    line[column - 1]! + 1,
    above[column - 1]! + (same ? 0 : 1),
  )
  const isSwap =
    row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
  return isSwap ? Math.min(edited, before[column - 2]! + 1) : edited
}
