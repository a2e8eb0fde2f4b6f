import { any, pattern, quoteSet } from './cedar/text.ts'
import { type Glob, matchesGlob, MAX_STARS, parseGlob } from './glob.ts'
import { readNames } from './lists.ts'

/** A list of names and globs, for either engine. */
export interface Globs {
  /** Each once, as they are written. */
  readonly items: readonly string[]
  /** True where the text matches one of them. */
  match(text: string): boolean
  /** The same as a Cedar condition over an expression. */
  cedar(expression: string): string
}

/** Reads names and globs, parted by commas; a text is the reason why they do not parse. */
export function readGlobs(value: string): Globs | string {
  const read = readNames(value)
  if (typeof read === 'string') return read
  const items = [...new Set(read)]
  const names = new Set<string>()
  const globs: Glob[] = []
  for (const item of items) {
    const glob = parseGlob(item)
    if (glob === undefined)
      return `the glob \`${item}\` has more than ${MAX_STARS} stars; use fewer`
    if (glob.pieces.length === 1) names.add(item)
    else globs.push(glob)
  }
  return {
    items,
    match: (text: string) => names.has(text) || globs.some((glob) => matchesGlob(glob, text)),
    cedar: (expression) => any(conditionsOf(expression, [...names], globs)),
  }
}

/** One set for all names: Cedar takes many times longer to read a comparison than a member of a set. */
function conditionsOf(
  expression: string,
  names: readonly string[],
  globs: readonly Glob[],
): readonly string[] {
  const named = names.length === 0 ? [] : [`${quoteSet(names)}.contains(${expression})`]
  return [...named, ...globs.map(({ pieces }) => `${expression} like ${pattern(pieces)}`)]
}
