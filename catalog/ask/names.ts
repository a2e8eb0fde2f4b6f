import type { Where } from '../want/types.ts'
import type { Token } from './tokens.ts'

/** What is known of tools and hosts. */
export interface KnownNames {
  /** Names of the tools that a phrase means; none where it means none for certain. */
  tools(phrase: string): readonly string[]
  /** Hosts that are configured or stand in the catalog. */
  readonly hosts: readonly string[]
}

const PREPOSITIONS = ['to', 'on', 'at', 'via', 'through', 'against']
/** A list in a filter has at most so many elements. */
const MOST_TOOLS = 256
const LONGEST_PHRASE = 4

/** A filter, and how many words it was made of. */
export interface ReadName {
  readonly where: Where
  readonly length: number
}

/**
 * Reads tools and hosts at a place: `GITHUB_ISSUES_LIST`, `GITHUB_*`, `api.github.com`, or words that names are made of.
 * `isFree` says where a phrase ends: at a word that means something else.
 */
export function nameAt(
  tokens: readonly Token[],
  at: number,
  { known, isFree }: { readonly known: KnownNames; readonly isFree: (at: number) => boolean },
): ReadName | undefined {
  const token = tokens[at]
  if (token === undefined) return undefined
  const written = writtenName(token)
  if (written !== undefined) return { where: written, length: 1 }
  let most = 1
  while (most < LONGEST_PHRASE && at + most < tokens.length && isFree(at + most)) most++
  for (let length = most; length > 0; length--) {
    const words = tokens.slice(at, at + length).map(({ word }) => word)
    const isNamed = length === 1 && isBehindPreposition(tokens, at)
    const where = namedBy(words, known, isNamed)
    if (where !== undefined) return { where, length }
  }
  return undefined
}

function isBehindPreposition(tokens: readonly Token[], at: number): boolean {
  const isWord = /^[a-z]/.test(tokens[at]?.word ?? '')
  return isWord && PREPOSITIONS.includes(tokens[at - 1]?.word ?? '')
}

/** A name that shows by its spelling what it is. */
function writtenName({ text, word }: Token): Where | undefined {
  if (/^[A-Z][A-Z0-9]*_[A-Z0-9_*]*$/.test(text) || /^[A-Z][A-Z0-9]*\*$/.test(text))
    return { tool: text.includes('*') ? { glob: text } : text }
  if (!/^(?:\*|[a-z0-9-]+)(?:\.[a-z0-9-]+)+$/.test(word) || !/[a-z]/.test(word)) return undefined
  return { host: word.startsWith('*') ? { glob: word } : word }
}

/** Tools whose names have the words, and hosts that have the word as one of their parts. */
function namedBy(words: readonly string[], known: KnownNames, isNamed: boolean): Where | undefined {
  const parts: Where[] = []
  const tools = known.tools(words.join(' ')).slice(0, MOST_TOOLS)
  const [word = ''] = words
  const start = `${word.toUpperCase()}_`
  if (words.length === 1 && tools.some((name) => name.startsWith(start)))
    parts.push({ tool: { prefix: start } })
  else if (tools.length > 0)
    parts.push({ tool: tools.length === 1 ? (tools[0] ?? '') : { in: tools } })
  if (words.length === 1 && (isNamed || known.hosts.some((host) => host.split('.').includes(word))))
    parts.push({ host: { prefix: `${word}.` } }, { host: { glob: `*.${word}.*` } })
  if (parts.length === 0) return undefined
  return parts.length === 1 ? parts[0] : { or: parts }
}
