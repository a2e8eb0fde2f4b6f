import { any, pattern } from './cedar/text.ts'
import { type Glob, matchesGlob, MAX_STARS, parseGlob } from './glob.ts'
import { readNames } from './lists.ts'

/** A list of names and globs, for either engine. */
export interface Globs {
  readonly items: readonly string[]
  /** True where the text matches one of them. */
  match(text: string): boolean
  /** The same as a Cedar condition over an expression. */
  cedar(expression: string): string
}

/** Reads names and globs, parted by commas; a text is the reason why they do not parse. */
export function readGlobs(value: string): Globs | string {
  const items = readNames(value)
  if (typeof items === 'string') return items
  const globs: Glob[] = []
  for (const item of items) {
    const glob = parseGlob(item)
    if (glob === undefined)
      return `the glob \`${item}\` has more than ${MAX_STARS} stars; use fewer`
    globs.push(glob)
  }
  return {
    items,
    match: (text: string) => globs.some((glob) => matchesGlob(glob, text)),
    cedar: (expression) => any(globs.map(({ pieces }) => `${expression} like ${pattern(pieces)}`)),
  }
}
