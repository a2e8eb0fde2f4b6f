import type { Entry } from './vocabulary.ts'

/** How many of the asked words each row holds, by the row's id. */
export interface Cover {
  readonly inName: Uint8Array
  readonly anywhere: Uint8Array
}

/** For each asked word the entries that stand for it. */
type Words = readonly (readonly Entry[])[]

/** Counts, for each asked word by the entries that stand for it, the rows that hold one of them. */
export function countCover(rows: number, asked: Words): Cover {
  return {
    inName: countInNames(rows, asked),
    anywhere: countRows(rows, asked, ({ anywhere }) => anywhere),
  }
}

/** The same in the names of rows alone. */
export function countInNames(rows: number, asked: Words): Uint8Array {
  return countRows(rows, asked, ({ inName }) => inName)
}

function countRows(
  rows: number,
  asked: Words,
  idsOf: (entry: Entry) => readonly number[],
): Uint8Array {
  const counts = new Uint8Array(rows)
  // The last word that was counted for a row; made where it is needed, since a catalog can be large.
  let last: Uint8Array | undefined
  for (const [at, entries] of asked.entries()) {
    const [first] = entries
    // An entry has each of its rows once.
    if (entries.length === 1) for (const id of idsOf(first!)) counts[id]!++
    else
      for (const entry of entries)
        count(counts, (last ??= new Uint8Array(rows)), { ids: idsOf(entry), word: at + 1 })
  }
  return counts
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
