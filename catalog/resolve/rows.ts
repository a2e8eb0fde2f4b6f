import type { Tool } from '../tool.ts'
import { wordsOf } from './question.ts'
import type { RowWords } from './vocabulary.ts'

/** What the resolver reads of a row. */
export type Searchable = Pick<Tool, 'name' | 'summary' | 'host' | 'path' | 'args'>

/** The parts of a row besides its name, as a reason names them, each with its words. */
const PARTS: Readonly<Record<string, (row: Searchable) => readonly string[]>> = {
  'the summary': ({ summary }) => wordsOf(summary),
  'the path': ({ path }) => identifierWords(path),
  'the host': ({ host }) => wordsOf(host),
  'the arguments': ({ args }) => Object.keys(args.properties).flatMap(identifierWords),
}

/** An identifier as people write it, and cut at its humps: `perPage` is `perpage`, `per` and `page`. */
function identifierWords(text: string): readonly string[] {
  const cut = wordsOf(text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'))
  return [...new Set([...wordsOf(text), ...cut])]
}

export function wordsOfRow(row: Searchable): RowWords {
  return {
    name: wordsOf(row.name.replaceAll('_', ' ')),
    rest: Object.values(PARTS).flatMap((words) => words(row)),
  }
}

/** In which part of a row one of these words is: the name first. */
export function partWith(row: Searchable, words: ReadonlySet<string>): string {
  const holds = (list: readonly string[]) => list.some((word) => words.has(word))
  if (holds(wordsOfRow(row).name)) return 'the name'
  const parts = Object.entries(PARTS)
  return parts.find(([, wordsIn]) => holds(wordsIn(row)))?.[0] ?? 'the row'
}
