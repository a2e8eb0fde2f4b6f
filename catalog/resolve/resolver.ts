import { ALIASES, indexAliases, type Alias } from './aliases.ts'
import { countCover, countInNames, type Cover } from './cover.ts'
import { LAYERS, type Asked, type Index, type Layer, type MatchedOn } from './layers.ts'
import { compare, createNames } from './names.ts'
import { readQuestion, tellingWords, wordsOf } from './question.ts'
import { wordsOfRow, type Searchable } from './rows.ts'
import { createVocabulary, type Entry } from './vocabulary.ts'

/** A row that answers a question. */
export interface Found<Row> {
  readonly row: Row
  /** Its layer, from 1000 to 200 (docs/resolver.md). */
  readonly score: Layer['score']
  /** What of the row it was. */
  readonly matched_on: MatchedOn
  /** Why, in plain words. */
  readonly matched_because: string
}

export interface FindOptions<Row> {
  /** How many at most; 20 by default. */
  readonly limit?: number
  /** Only these rows are ranked. */
  readonly mayCall?: (row: Row) => boolean
}

/** Finds the rows that a question in plain words means: by integers and named reasons alone. */
export interface Resolver<Row> {
  /**
   * Best first. Rows of one layer are in the order of how many of the asked words stand in their name, then anywhere in them;
   * then of whether their summary is those words; then of how many stand in the name whole, and as they
   * were written; then the name of fewer words comes first, then the one that sorts first.
   */
  find(question: string, options?: FindOptions<Row>): readonly Found<Row>[]
}

/** Makes the resolver of a catalog; `aliases` come before those of the program. */
export function createResolver<Row extends Searchable>(
  rows: readonly Row[],
  aliases: readonly Alias[] = [],
): Resolver<Row> {
  const words = rows.map(wordsOfRow)
  const names = createNames(rows.map(({ name }) => name))
  const index: Index = {
    rows,
    names,
    vocabulary: createVocabulary(words),
    aliases: {
      configured: indexAliases(aliases, names),
      shipped: indexAliases(ALIASES, names),
    },
  }
  const lengths = words.map(({ name }) => name.length)
  const summaries = rows.map(({ summary }) => tellingWords(wordsOf(summary)).join(' '))
  return {
    find(text, { limit = 20, mayCall = () => true } = {}) {
      const question = readQuestion(text)
      if (question.words.length === 0) return []
      const like = question.asked.map((word) => index.vocabulary.like(word))
      const cover = countCover(rows.length, like)
      const asked: Asked = { index, question, cover }
      const inNames = (kind: 'same' | 'exact') => {
        const entries = question.asked.map((word) => index.vocabulary[kind](word))
        return countInNames(rows.length, entries)
      }
      const covers = {
        ...softCover(asked, like),
        said: saidBy(summaries, question.asked),
        whole: inNames('same'),
        exact: inNames('exact'),
      }
      const order = orderOf(covers, { rows, lengths })
      const taken = new Map<number, Layer>()
      for (const layer of LAYERS) {
        if (taken.size >= limit) break
        const isNew = (id: number) => !taken.has(id) && mayCall(rows[id]!)
        for (const id of first(limit - taken.size, layer.ids(asked), { order, isNew })) {
          taken.set(id, layer)
        }
      }
      return [...taken].map(([id, layer]) => foundOf(rows[id]!, layer, layer.because(asked, id)))
    },
  }
}

function foundOf<Row>(row: Row, { score, matchedOn }: Layer, because: string): Found<Row> {
  return { row, score, matched_on: matchedOn, matched_because: because }
}

type Order = (a: number, b: number) => number

/** As the cover, but a word that no row holds stands for what it may have been meant as. */
function softCover({ index, question, cover }: Asked, like: readonly (readonly Entry[])[]): Cover {
  if (like.every((entries) => entries.length > 0)) return cover
  const { near, sounding } = index.vocabulary
  const meant = like.map((entries, at) => {
    const word = question.asked[at]!
    return entries.length > 0 ? entries : [...near(word), ...sounding(word)]
  })
  return countCover(index.rows.length, meant)
}

interface Named {
  readonly rows: readonly Searchable[]
  /** Words of each name. */
  readonly lengths: readonly number[]
}

interface Covers extends Cover {
  /** 1 where the summary is the asked words. */
  readonly said: (id: number) => number
  readonly whole: Uint8Array
  readonly exact: Uint8Array
}

function saidBy(summaries: readonly string[], words: readonly string[]): Covers['said'] {
  const asked = words.join(' ')
  return (id) => (summaries[id] === asked ? 1 : 0)
}

function orderOf(cover: Covers, { rows, lengths }: Named): Order {
  return (a, b) =>
    cover.inName[b]! - cover.inName[a]! ||
    cover.anywhere[b]! - cover.anywhere[a]! ||
    cover.said(b) - cover.said(a) ||
    cover.whole[b]! - cover.whole[a]! ||
    cover.exact[b]! - cover.exact[a]! ||
    lengths[a]! - lengths[b]! ||
    compare(rows[a]!.name, rows[b]!.name)
}

interface Wanted {
  readonly order: Order
  readonly isNew: (id: number) => boolean
}

/** The first few in their order, without sorting the rest. */
function first(most: number, ids: Iterable<number>, { order, isNew }: Wanted): readonly number[] {
  const best: number[] = []
  for (const id of ids) {
    const last = best.at(-1)
    if (best.length === most && last !== undefined && order(id, last) >= 0) continue
    if (best.includes(id) || !isNew(id)) continue
    const place = best.findIndex((other) => order(id, other) < 0)
    best.splice(place < 0 ? best.length : place, 0, id)
    if (best.length > most) best.pop()
  }
  return best
}
