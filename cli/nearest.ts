/** Levenshtein's distance: the fewest insertions, deletions and replacements between two words. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [row, letter] of Array.from(left).entries()) {
    const current = [row + 1]
    for (const [column, other] of Array.from(right).entries()) {
      current.push(
        Math.min(
          (current[column] ?? 0) + 1,
          (previous[column + 1] ?? 0) + 1,
          (previous[column] ?? 0) + (letter === other ? 0 : 1),
        ),
      )
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}

/** The known word that a mistyped one most likely meant, or undefined where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, away: distance(word, candidate) }))
    .sort((left, right) => left.away - right.away)
  const [best] = ranked
  return best !== undefined && best.away <= Math.max(2, Math.floor(word.length / 3))
    ? best.candidate
    : undefined
}
