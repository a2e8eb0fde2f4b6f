import { amountAt } from './amounts.ts'
import { note } from './draft.ts'
import { CODES, METHODS, OUTCOMES } from './lexicon.ts'
import type { Rule } from './rule.ts'
import { spanAt } from './times.ts'
import { lookUp, phraseAt } from './tokens.ts'

/** A time of day, behind a day that was named before, is one of that day. */
const time: Rule = ({ tokens, draft, now }, at) => {
  const { from, until } = draft
  const isDay = from !== undefined && until === endOfDay(from)
  const span = spanAt(tokens, at, { now, day: isDay ? Date.parse(from) : undefined })
  if (span === undefined) return 0
  draft.from = span.from ?? draft.from
  draft.until = span.until ?? draft.until
  return span.length
}

function endOfDay(from: string): string {
  return new Date(Date.parse(from) + 86_400_000).toISOString()
}

const MORE = [
  'slower than',
  'longer than',
  'larger than',
  'bigger than',
  'more than',
  'over',
  'above',
  'at least',
]
const LESS = [
  'faster than',
  'shorter than',
  'smaller than',
  'less than',
  'under',
  'below',
  'at most',
]

/** `slower than 2 s`, `over 1 MB`. */
const comparison: Rule = ({ tokens, draft }, at) => {
  for (const [test, phrases] of [
    ['gt', MORE],
    ['lt', LESS],
  ] as const) {
    for (const phrase of phrases) {
      const lead = phraseAt(tokens, at, phrase)
      const amount = lead === 0 ? undefined : amountAt(tokens, at + lead)
      if (amount === undefined) continue
      const field = amount.kind === 'time' ? 'ms' : 'response_bytes'
      const named = phrase.startsWith('at ') ? (`${test}e` as const) : test
      draft.where.push({ [field]: { [named]: amount.value } })
      return lead + amount.length
    }
  }
  return 0
}

const TASK = /^[A-Z][A-Z0-9_]*-\d+(?:\/[^\s]*)?$/

/** `task T-7`, or an id that looks like one; what lies below it is meant, too. */
const task: Rule = ({ tokens, draft }, at) => {
  const isNamed = ['task', 'tasks', 'under'].includes(tokens[at]?.word ?? '')
  const { text } = tokens[isNamed ? at + 1 : at] ?? { text: '' }
  const isTask = TASK.test(text) || (isNamed && /^[^\s]*[\d/-][^\s]*$/.test(text))
  if (!isTask) return 0
  draft.where.push({ or: [{ task: text }, { task: { prefix: `${text}/` } }] })
  return isNamed ? 2 : 1
}

const run: Rule = ({ tokens, draft }, at) => {
  const { text } = tokens[at + 1] ?? { text: '' }
  if (tokens[at]?.word !== 'run' || !/[\d-]/.test(text)) return 0
  draft.where.push({ run: text })
  return 2
}

/** `status 404`, `status 5xx`, `5xx`. */
const status: Rule = ({ tokens, draft }, at) => {
  const isNamed = tokens[at]?.word === 'status'
  const word = tokens[isNamed ? at + 1 : at]?.word ?? ''
  const [, family] = /^([1-5])xx$/.exec(word) ?? []
  const code = isNamed && /^\d{3}$/.test(word) ? Number(word) : undefined
  if (family !== undefined) {
    const low = Number(family) * 100
    draft.where.push({ status: { gte: low, lt: low + 100 } })
  } else if (code !== undefined) draft.where.push({ status: code })
  else return 0
  return isNamed ? 2 : 1
}

/** `refused`, `refused or failed`. */
const outcome: Rule = ({ tokens, draft }, at) => {
  const found = lookUp(OUTCOMES, tokens, at)
  if (found === undefined) return 0
  note(draft.outcomes, found.value)
  return found.length
}

/** Methods in capitals, codes by their underscores. */
const spelled: Rule = ({ tokens, draft }, at) => {
  const { text, word } = tokens[at] ?? { text: '', word: '' }
  if (METHODS.has(text)) draft.where.push({ method: text })
  else if (CODES.has(word) || /^[a-z]+(?:_[a-z]+)+$/.test(text)) draft.where.push({ code: word })
  else return 0
  return 1
}

/** What narrows the answer by what shows its meaning wherever it stands. */
export const FILTERS: readonly Rule[] = [time, comparison, task, run, status]

/** The same, by words that may stand in a phrase of their own. */
export const FILTERS_LATE: readonly Rule[] = [outcome]

/** The same, by how a word is spelled. */
export const SPELLED: readonly Rule[] = [spelled]
