import { aliasesIn, type AliasIndex } from './aliases.ts'
import { countCover, withCount, type Cover } from './cover.ts'
import type { NameIndex } from './names.ts'
import type { Question } from './question.ts'
import { partWith, wordsOfRow, type Searchable } from './rows.ts'
import type { Entry, Vocabulary } from './vocabulary.ts'

/** What is known of a catalog. A row's id is its place in the list. */
export interface Index {
  readonly rows: readonly Searchable[]
  readonly names: NameIndex
  readonly vocabulary: Vocabulary
  readonly aliases: Readonly<Record<AliasSource, AliasIndex>>
}

/** Whose aliases come first. */
type AliasSource = 'configured' | 'shipped'

/** One question to one catalog. */
export interface Asked {
  readonly index: Index
  readonly question: Question
  /** By words as they were written, plurals and longer words included. */
  readonly cover: Cover
}

/** What of the row it was. */
export type MatchedOn = 'name' | 'alias' | 'row' | 'typo' | 'sound'

/** One way in which a row can answer. */
export interface Layer {
  readonly score: 1000 | 900 | 800 | 700 | 600 | 500 | 300 | 200
  readonly matchedOn: MatchedOn
  ids(asked: Asked): Iterable<number>
  /** Why, in plain words. */
  because(asked: Asked, id: number): string
}

/** All layers, from best to least. */
export const LAYERS: readonly Layer[] = [
  {
    score: 1000,
    matchedOn: 'name',
    ids: ({ index, question }) => index.names.exact(question.key),
    because: () => 'the name is the query',
  },
  {
    score: 900,
    matchedOn: 'name',
    ids: ({ index, question }) => index.names.starting(question.key),
    because: () => 'the name begins with the query',
  },
  {
    score: 800,
    matchedOn: 'name',
    ids: ({ index, question }) => index.names.starting(firstWord(question).toUpperCase()),
    because: ({ question }) => `the name begins with "${firstWord(question)}"`,
  },
  {
    score: 700,
    matchedOn: 'name',
    ids: ({ cover, question }) => withCount(cover.inName, question.asked.length),
    because: ({ question }) => `every word is in the name: ${question.asked.join(', ')}`,
  },
  aliasLayer('configured'),
  aliasLayer('shipped'),
  {
    score: 500,
    matchedOn: 'row',
    ids: ({ cover, question }) => withCount(cover.anywhere, question.asked.length),
    because: ({ index, question }, id) => {
      const places = question.asked.map((word) => {
        const forms = new Set(index.vocabulary.like(word).map((entry) => entry.word))
        return `"${word}" in ${partWith(index.rows[id]!, forms)}`
      })
      return `every word is in the row: ${places.join(', ')}`
    },
  },
  looseLayer({
    score: 300,
    matchedOn: 'typo',
    means: (word, { near }) => near(word),
    says: (word, meant) => `"${word}" is a typing error away from "${meant}"`,
  }),
  looseLayer({
    score: 200,
    matchedOn: 'sound',
    means: (word, { near, sounding }) => [...near(word), ...sounding(word)],
    says: (word, meant) => `"${word}" sounds like "${meant}"`,
  }),
]

function firstWord({ asked }: Question): string {
  return asked[0]!
}

function aliasLayer(source: AliasSource): Layer {
  const said = ({ index, question }: Asked) => aliasesIn(index.aliases[source], question.words)
  return {
    score: 600,
    matchedOn: 'alias',
    *ids(asked) {
      for (const { ids } of said(asked)) yield* ids
    },
    because(asked, id) {
      const meaning = said(asked).filter(({ ids }) => ids.has(id))
      return meaning.map(({ words }) => `"${words.join(' ')}" means this`).join(', ')
    },
  }
}

interface Loose {
  readonly score: Layer['score']
  readonly matchedOn: MatchedOn
  /** What a word may stand for besides itself. */
  readonly means: (word: string, vocabulary: Vocabulary) => readonly Entry[]
  readonly says: (word: string, meant: string) => string
}

/** A layer in which each word stands in the row, as it is or as what it may stand for. */
function looseLayer({ score, matchedOn, means, says }: Loose): Layer {
  return {
    score,
    matchedOn,
    ids({ index: { rows, vocabulary }, question: { asked } }) {
      const entries = asked.map((word) => [...vocabulary.like(word), ...means(word, vocabulary)])
      return withCount(countCover(rows.length, entries).anywhere, asked.length)
    },
    because({ index: { rows, vocabulary }, question: { asked } }, id) {
      const { name, rest } = wordsOfRow(rows[id]!)
      const inRow = new Set([...name, ...rest])
      const has = (entries: readonly Entry[]) => entries.find(({ word }) => inRow.has(word))
      return asked
        .flatMap((word) => {
          if (has(vocabulary.like(word)) !== undefined) return []
          return says(word, has(means(word, vocabulary))?.word ?? word)
        })
        .join(', ')
    },
  }
}
