/** Most stars in one pattern. */
export const MAX_STARS = 16

/** Most work for one match, as pattern length times text length; beyond it nothing matches. */
const MAX_WORK = 1_048_576

/** A pattern of literal text and `*`, which stands for any characters, also none. */
export interface Glob {
  readonly pattern: string
  /** The literal pieces between the stars; one piece is a pattern without a star. */
  readonly pieces: readonly string[]
}

/** Undefined where the pattern has too many stars. */
export function parseGlob(pattern: string): Glob | undefined {
  const pieces = pattern.split('*')
  return pieces.length - 1 > MAX_STARS ? undefined : { pattern, pieces }
}

/**
 * True where the text is short enough for the pattern: a match may cost their product, and a holder
 * chooses both. Both engines ask this first.
 */
export function isAffordable(glob: Glob, text: string): boolean {
  return glob.pattern.length * text.length <= MAX_WORK
}

/** Whole-string match by code point; no character but `*` is special. */
export function matchesGlob(glob: Glob, text: string): boolean {
  const { pieces } = glob
  const first = pieces[0] ?? ''
  if (pieces.length === 1) return text === first
  const last = pieces.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  const end = text.length - last.length
  let from = first.length
  // Taking each piece at its first place leaves the most room for the next one.
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return from <= end
}
