import { abbreviationsOf } from './abbreviations.ts'
import { createNear } from './near.ts'
import { remembered } from './remembered.ts'
import { soundex } from './soundex.ts'

/** Which rows hold a word: ids in rising order, of the rows that have it in their name, and of all that have it anywhere. */
interface Postings {
  readonly inName: number[]
  readonly anywhere: number[]
}

/** One word of the catalog, and where it is. */
export interface Entry extends Readonly<Postings> {
  readonly word: string
}

/** All words of a catalog. */
export interface Vocabulary {
  /** The word as it is written, and nothing else. */
  exact(word: string): readonly Entry[]
  /** The word itself, as a plural or singular too, and its usual abbreviation. */
  same(word: string): readonly Entry[]
  /** The same, and longer words that begin with it, where it has three letters at least. */
  like(word: string): readonly Entry[]
  /** Words that are a few typing errors away from this one. */
  near(word: string): readonly Entry[]
  /** Words that sound like this one. */
  sounding(word: string): readonly Entry[]
}

/** The words of one row. */
export interface RowWords {
  readonly name: readonly string[]
  readonly rest: readonly string[]
}

const SHORTEST_PREFIX = 3

/** Makes the vocabulary of rows whose ids are their places in the list. */
export function createVocabulary(rows: readonly RowWords[]): Vocabulary {
  const postings = collect(rows)
  const words = [...postings.keys()].toSorted()
  const entries = words.map((word): Entry => ({ word, ...postings.get(word)! }))
  const byWord = new Map(entries.map((entry) => [entry.word, entry]))
  const bySound = groupBy(entries, ({ word }) => soundex(word))
  const same = (word: string) => {
    const forms = formsOf(word).flatMap((form) => [form, ...abbreviationsOf(form).flatMap(formsOf)])
    return [...new Set(forms)].flatMap((form) => byWord.get(form) ?? [])
  }
  return {
    exact: (word) => [byWord.get(word)].filter((entry) => entry !== undefined),
    same,
    like: remembered((word) => {
      if (word.length < SHORTEST_PREFIX) return same(word)
      return [...new Set([...same(word), ...starting(word, words, entries)])]
    }),
    near: remembered(createNear(entries)),
    sounding: (word) => bySound.get(soundex(word)) ?? [],
  }
}

function collect(rows: readonly RowWords[]): Map<string, Postings> {
  const all = new Map<string, Postings>()
  const at = (word: string): Postings => {
    const known = all.get(word)
    if (known !== undefined) return known
    const made: Postings = { inName: [], anywhere: [] }
    all.set(word, made)
    return made
  }
  for (const [id, { name, rest }] of rows.entries()) {
    for (const word of new Set(name)) at(word).inName.push(id)
    for (const word of new Set([...name, ...rest])) at(word).anywhere.push(id)
  }
  return all
}

function groupBy<K>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => K | undefined,
): Map<K | undefined, Entry[]> {
  const groups = new Map<K | undefined, Entry[]>()
  for (const entry of entries) {
    const key = keyOf(entry)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  return groups
}

/** A word, its plural and its singular, as English makes them. */
function formsOf(word: string): readonly string[] {
  const forms = [word, `${word}s`, `${word}es`]
  if (word.endsWith('y')) forms.push(`${word.slice(0, -1)}ies`)
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`)
  if (word.endsWith('es')) forms.push(word.slice(0, -2))
  if (word.endsWith('s') && word.length > 2) forms.push(word.slice(0, -1))
  return forms
}

function starting(
  prefix: string,
  words: readonly string[],
  entries: readonly Entry[],
): readonly Entry[] {
  const from = firstFrom(words, prefix)
  let to = from
  while (to < words.length && words[to]!.startsWith(prefix)) to++
  return entries.slice(from, to)
}

/** The place of the first of sorted texts that does not come before this one. */
export function firstFrom(sorted: readonly string[], text: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < text) low = middle + 1
    else high = middle
  }
  return low
}
