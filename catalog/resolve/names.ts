import type { Names } from './aliases.ts'
import { firstFrom } from './vocabulary.ts'

/** The names of a catalog, in the order of their spelling. */
export interface NameIndex extends Names {
  /** Ids of the rows of this very name. */
  exact(name: string): Iterable<number>
}

/** Makes the index of names whose ids are their places in the list. */
export function createNames(names: readonly string[]): NameIndex {
  const ids = [...names.keys()].toSorted((a, b) => compare(names[a]!, names[b]!))
  const sorted = ids.map((id) => names[id]!)
  const byWord = new Map<string, number[]>()
  for (const [id, name] of names.entries()) {
    for (const word of new Set(name.split('_'))) {
      const known = byWord.get(word)
      if (known === undefined) byWord.set(word, [id])
      else known.push(id)
    }
  }
  function* from(text: string, goesOn: (name: string) => boolean): Generator<number> {
    for (let at = firstFrom(sorted, text); at < sorted.length && goesOn(sorted[at]!); at++) {
      yield ids[at]!
    }
  }
  return {
    exact: (name) => from(name, (found) => found === name),
    starting: (prefix) => from(prefix, (found) => found.startsWith(prefix)),
    *containing(words) {
      const [first = ''] = words.split('_')
      for (const id of byWord.get(first) ?? []) {
        if (`_${names[id]!}_`.includes(`_${words}_`)) yield id
      }
    },
  }
}

/** By code unit, so that the order is the same everywhere. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
