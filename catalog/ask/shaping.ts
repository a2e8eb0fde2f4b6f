import { wholeNumber } from './amounts.ts'
import { note } from './draft.ts'
import { DIMENSIONS, FIGURES, MEASURES, NOUNS, SUPERLATIVES } from './lexicon.ts'
import type { Rule } from './rule.ts'
import { lookUp, phraseAt } from './tokens.ts'

const BY = [
  'by',
  'per',
  'for each',
  'for every',
  'each',
  'every',
  'grouped by',
  'broken down by',
  'and by',
]

/** `by tool and day`, `per host`, `daily`. */
const grouping: Rule = ({ tokens, draft }, at) => {
  const lead = Math.max(0, ...BY.map((phrase) => phraseAt(tokens, at, phrase)))
  const found = lead === 0 ? undefined : lookUp(DIMENSIONS, tokens, at + lead)
  const adverb = lookUp(DIMENSIONS, tokens, at)
  if (found === undefined) {
    if (adverb === undefined || tokens[at]?.word.endsWith('ly') !== true) return 0
    note(draft.by, adverb.value)
    return adverb.length
  }
  note(draft.by, found.value)
  const length = lead + found.length
  if (tokens[at + length]?.word !== 'and') return length
  const second = lookUp(DIMENSIONS, tokens, at + length + 1)
  if (second === undefined) return length
  note(draft.by, second.value)
  return length + 1 + second.length
}

/** `which tools`, `what hosts`, `who`: groups that are counted. */
const listing: Rule = ({ tokens, draft }, at) => {
  const word = tokens[at]?.word ?? ''
  if (word === 'who') note(draft.by, 'person')
  if (word === 'who') return 1
  const found = ['which', 'what'].includes(word) ? lookUp(DIMENSIONS, tokens, at + 1) : undefined
  if (found === undefined) return 0
  note(draft.by, found.value)
  return 1 + found.length
}

/** `tools by hour`: several of a kind, by themselves, are groups. */
const several: Rule = ({ tokens, draft }, at) => {
  const found = lookUp(DIMENSIONS, tokens, at)
  const last = found === undefined ? '' : (tokens[at + found.length - 1]?.word ?? '')
  const isSeveral =
    last === 'people' || (last.endsWith('s') && last !== 'address' && last !== 'status')
  if (found === undefined || !isSeveral || found.value.includes(':')) return 0
  note(draft.by, found.value)
  return found.length
}

/** `slowest`, `top 10`, `5 largest`, and the groups that it may be of. */
const superlative: Rule = ({ tokens, draft }, at) => {
  const before = wholeNumber(tokens[at])
  const place = before === undefined ? at : at + 1
  const found = lookUp(SUPERLATIVES, tokens, place)
  if (found === undefined) return 0
  const behind = place + found.length
  const after = before === undefined ? wholeNumber(tokens[behind]) : undefined
  draft.superlative = found.value
  draft.limit = before ?? after ?? draft.limit
  const length = behind - at + (after === undefined ? 0 : 1)
  const group = lookUp(DIMENSIONS, tokens, at + length)
  if (group === undefined || group.value.includes(':')) return length
  note(draft.by, group.value)
  return length + group.length
}

/** `limit 5`. */
const limit: Rule = ({ tokens, draft }, at) => {
  const most = tokens[at]?.word === 'limit' ? wholeNumber(tokens[at + 1]) : undefined
  if (most === undefined) return 0
  draft.limit = most
  return 2
}

/** `p95 of the upstream time`, `average response size`, `how many`. */
const figure: Rule = ({ tokens, draft }, at) => {
  const found = lookUp(FIGURES, tokens, at)
  if (found === undefined) return 0
  note(draft.figures, found.value)
  let behind = at + found.length
  while (['of', 'the'].includes(tokens[behind]?.word ?? '')) behind++
  const measure = lookUp(MEASURES, tokens, behind)
  if (measure === undefined) return found.length
  noteMeasure(draft.measures, measure.value)
  return behind - at + measure.length
}

const measure: Rule = ({ tokens, draft }, at) => {
  const found = lookUp(MEASURES, tokens, at)
  if (found === undefined || draft.figures.length === 0) return 0
  noteMeasure(draft.measures, found.value)
  return found.length
}

/** `how much data was downloaded`: the closer word says which bytes are meant. */
function noteMeasure(measures: string[], field: string): void {
  const bytes = measures.indexOf('response_bytes')
  if (bytes >= 0 && field.endsWith('_bytes')) measures.splice(bytes, 1)
  note(measures, field)
}

const noun: Rule = ({ tokens, draft }, at) => {
  const found = lookUp(NOUNS, tokens, at)
  if (found === undefined) return 0
  draft.view ??= found.value
  return found.length
}

/** What rows or figures are asked for, and how they are grouped and ordered. */
export const SHAPING: readonly Rule[] = [grouping, listing, superlative, limit, figure]

/** The same, by words that mean something else where a rule before takes them. */
export const SHAPING_LATE: readonly Rule[] = [noun, measure, several]
