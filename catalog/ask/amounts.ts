import type { Token } from './tokens.ts'

const WORDS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  twenty: 20,
}

/** A whole number, in digits or as a word. */
export function wholeNumber(token: Token | undefined): number | undefined {
  if (token === undefined) return undefined
  if (/^\d{1,6}$/.test(token.word)) return Number(token.word)
  return Object.hasOwn(WORDS, token.word) ? WORDS[token.word] : undefined
}

/** What a comparison compares with. */
export interface Amount {
  readonly kind: 'time' | 'size'
  /** Milliseconds, or bytes. */
  readonly value: number
  /** Words that it took. */
  readonly length: number
}

const UNITS: Readonly<Record<string, readonly [kind: Amount['kind'], factor: number]>> = {
  ms: ['time', 1],
  millisecond: ['time', 1],
  milliseconds: ['time', 1],
  s: ['time', 1000],
  sec: ['time', 1000],
  second: ['time', 1000],
  seconds: ['time', 1000],
  m: ['time', 60_000],
  min: ['time', 60_000],
  minute: ['time', 60_000],
  minutes: ['time', 60_000],
  b: ['size', 1],
  byte: ['size', 1],
  bytes: ['size', 1],
  kb: ['size', 1000],
  kib: ['size', 1024],
  mb: ['size', 1_000_000],
  mib: ['size', 1024 ** 2],
  gb: ['size', 1_000_000_000],
  gib: ['size', 1024 ** 3],
}

/** Reads `2s`, `500 ms`, `1.5 MB`. */
export function amountAt(tokens: readonly Token[], at: number): Amount | undefined {
  const [, digits, glued] = /^(\d{1,12}(?:\.\d{1,3})?)([a-z]*)$/.exec(tokens[at]?.word ?? '') ?? []
  if (digits === undefined) return undefined
  const word = glued === '' ? tokens[at + 1]?.word : glued
  const unit = word !== undefined && Object.hasOwn(UNITS, word) ? UNITS[word] : undefined
  if (unit === undefined) return undefined
  const [kind, factor] = unit
  return { kind, value: Number(digits) * factor, length: glued === '' ? 2 : 1 }
}
