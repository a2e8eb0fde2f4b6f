/** A word of a question. */
export interface Token {
  /** As it was written, without the punctuation around it. */
  readonly text: string
  /** In lower case. */
  readonly word: string
}

/** Words past this many are not looked at. */
const MOST_WORDS = 64

/** The words of a question, in order. What may be part of a name or a time stays inside a word. */
export function readTokens(question: string): readonly Token[] {
  return question
    .replaceAll(/[’']s\b/g, '')
    .split(/[\s,;]+/)
    .map((part) => part.replaceAll(/^["'“”‘’(]+|["'“”‘’)?!.:]+$/g, ''))
    .filter((text) => text !== '')
    .slice(0, MOST_WORDS)
    .map((text) => ({ text, word: text.toLowerCase() }))
}

/** The words from a place on, for comparing with phrases. */
export function phraseAt(tokens: readonly Token[], at: number, phrase: string): number {
  const words = phrase.split(' ')
  return words.every((word, index) => tokens[at + index]?.word === word) ? words.length : 0
}

/** The value of the longest phrase of a table that stands at a place, and its number of words. */
export function lookUp<T>(
  table: Readonly<Record<string, T>>,
  tokens: readonly Token[],
  at: number,
): { readonly value: T; readonly length: number } | undefined {
  for (let length = Math.min(4, tokens.length - at); length > 0; length--) {
    const phrase = tokens.slice(at, at + length).map(({ word }) => word)
    const key = phrase.join(' ')
    if (Object.hasOwn(table, key)) return { value: table[key] as T, length }
  }
  return undefined
}
