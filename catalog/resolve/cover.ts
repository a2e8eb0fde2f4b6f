import type { Entry } from './vocabulary.ts'

/** How many of the asked words each row holds, by the row's id. */
export interface Cover {
  readonly inName: Uint8Array
  readonly anywhere: Uint8Array
}

/** Counts, for each asked word by the entries that stand for it, the rows that hold one of them. */
export function countCover(rows: number, asked: readonly (readonly Entry[])[]): Cover {
  const cover = { inName: new Uint8Array(rows), anywhere: new Uint8Array(rows) }
  const last = { inName: new Uint8Array(rows), anywhere: new Uint8Array(rows) }
  for (const [at, entries] of asked.entries()) {
    for (const entry of entries) {
      count(cover.inName, last.inName, { ids: entry.inName, word: at + 1 })
      count(cover.anywhere, last.anywhere, { ids: entry.anywhere, word: at + 1 })
    }
  }
  return cover
}

/** A row that has two entries of one word counts once. */
function count(
  counts: Uint8Array,
  last: Uint8Array,
  { ids, word }: { readonly ids: readonly number[]; readonly word: number },
): void {
  for (const id of ids) {
    if (last[id] === word) continue
    last[id] = word
    counts[id]!++
  }
}

/** Ids of the rows that hold so many words. */
export function* withCount(counts: Uint8Array, wanted: number): Generator<number> {
  for (let id = counts.indexOf(wanted); id >= 0; id = counts.indexOf(wanted, id + 1)) yield id
}
