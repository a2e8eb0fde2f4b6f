import type { FigureName, ViewName } from '../views/types.ts'
import type { Where } from '../want/types.ts'
import type { Superlative } from './lexicon.ts'

/** What a question has said so far. */
export interface Draft {
  view: ViewName | undefined
  readonly where: Where[]
  readonly outcomes: string[]
  readonly by: string[]
  readonly figures: (FigureName | 'count')[]
  readonly measures: string[]
  superlative: Superlative | undefined
  limit: number | undefined
  from: string | undefined
  until: string | undefined
  /** Words that nothing was made of, in order. */
  readonly unknown: string[]
}

export function emptyDraft(): Draft {
  return {
    view: undefined,
    where: [],
    outcomes: [],
    by: [],
    figures: [],
    measures: [],
    superlative: undefined,
    limit: undefined,
    from: undefined,
    until: undefined,
    unknown: [],
  }
}

/** Adds what is not there yet. */
export function note<T>(list: T[], value: T): void {
  if (!list.includes(value)) list.push(value)
}
