import { allowanceOf, isWithin, lettersOf, mayBeWithin } from './typo.ts'

/** What is looked at of a word. */
interface Word {
  readonly word: string
}

/** Words of one length, and the letters of each side by side: most are passed over without being looked at. */
interface OfLength<W> {
  readonly words: readonly W[]
  readonly letters: Int32Array
}

/** Finds the words that are a few typing errors away from another one; each length in the order of the list. */
export function createNear<W extends Word>(words: readonly W[]): (word: string) => readonly W[] {
  const lists = new Map<number, W[]>()
  for (const each of words) {
    const known = lists.get(each.word.length)
    if (known === undefined) lists.set(each.word.length, [each])
    else known.push(each)
  }
  const byLength = new Map([...lists].map(([length, list]) => [length, ofLength(list)]))
  return (word) => {
    const most = allowanceOf(word)
    const lengths = Array.from({ length: 2 * most + 1 }, (_, at) => word.length - most + at)
    return lengths.flatMap((length) => nearIn(byLength.get(length), word, most))
  }
}

function ofLength<W extends Word>(words: readonly W[]): OfLength<W> {
  return { words, letters: Int32Array.from(words, ({ word }) => lettersOf(word)) }
}

function nearIn<W extends Word>(
  group: OfLength<W> | undefined,
  word: string,
  most: number,
): readonly W[] {
  if (group === undefined) return []
  const { words, letters } = group
  const own = lettersOf(word)
  const found: W[] = []
  for (let at = 0; at < letters.length; at++) {
    if (!mayBeWithin(own, letters[at]!, most)) continue
    const other = words[at]!
    if (other.word !== word && isWithin(word, other.word, most)) found.push(other)
  }
  return found
}
