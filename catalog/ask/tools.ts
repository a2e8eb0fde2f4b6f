import type { Resolver } from '../resolve/resolver.ts'
import type { Searchable } from '../resolve/rows.ts'

const MOST = 256
/** The name is the phrase. */
const EXACT = 1000
/** Every word of the phrase is in the name, or an alias says so; below that it would be a guess. */
const CERTAIN = 600
/** The name begins with the first word alone: of a longer phrase that is a guess, too. */
const FIRST_WORD = 800

/** The names of the tools that a phrase means for certain, by the catalog's resolver. */
export function toolsMeant(resolver: Resolver<Searchable>): (phrase: string) => readonly string[] {
  return (phrase) => {
    const isLonger = phrase.includes(' ')
    const found = resolver
      .find(phrase, { limit: MOST })
      .filter(({ score }) => score >= CERTAIN && !(isLonger && score === FIRST_WORD))
    const exact = found.filter(({ score }) => score === EXACT)
    return (exact.length > 0 ? exact : found).map(({ row }) => row.name)
  }
}
