import type { Where } from '../want/types.ts'
import type { Draft } from './draft.ts'
import { FILTERS, FILTERS_LATE, SPELLED } from './filtering.ts'
import { FIELDS, FILLERS } from './lexicon.ts'
import { nameAt } from './names.ts'
import type { Reading, Rule } from './rule.ts'
import { SHAPING, SHAPING_LATE } from './shaping.ts'
import { lookUp } from './tokens.ts'

const filler: Rule = ({ tokens }, at) => (FILLERS.has(tokens[at]?.word ?? '') ? 1 : 0)

/** Rules by which plain words mean something of their own, so that they are no value. */
const WORDS: readonly Rule[] = [...SHAPING, ...FILTERS_LATE, ...SHAPING_LATE, filler]

/** `grant g-1`, `model gpt-*`, `person ada`: the word behind is the value, unless it means something itself. */
const field: Rule = (reading, at) => {
  const { tokens, draft } = reading
  const found = lookUp(FIELDS, tokens, at)
  const value = found === undefined ? undefined : tokens[at + found.length]
  if (found === undefined || value === undefined || means(WORDS, reading, at + found.length))
    return 0
  draft.where.push(filter(found.value, value.text))
  return found.length + 1
}

function filter(name: string, text: string): Where {
  return { [name]: text.includes('*') ? { glob: text } : text }
}

const name: Rule = (reading, at) => {
  const { tokens, draft, known } = reading
  const found = nameAt(tokens, at, {
    known,
    isFree: (place) => !means([...FILTERS, ...WORDS], reading, place),
  })
  if (found === undefined) return 0
  draft.where.push(found.where)
  return found.length
}

/** All rules; the first that takes a word has it. */
export const RULES: readonly Rule[] = [
  ...FILTERS,
  ...SHAPING,
  ...FILTERS_LATE,
  field,
  ...SPELLED,
  ...SHAPING_LATE,
  filler,
  name,
]

/** Whether one of the rules takes a word; nothing is noted. */
function means(rules: readonly Rule[], reading: Reading, at: number): boolean {
  const trial = { ...reading, draft: copyOf(reading.draft) }
  return rules.some((rule) => rule(trial, at) > 0)
}

function copyOf(draft: Draft): Draft {
  return {
    ...draft,
    where: [...draft.where],
    outcomes: [...draft.outcomes],
    by: [...draft.by],
    figures: [...draft.figures],
    measures: [...draft.measures],
    unknown: [...draft.unknown],
  }
}
