import type { Op } from '../axis.ts'
import type { Scalar } from '../cedar/clause.ts'
import { decimal, pattern, quote, quoteSet } from '../cedar/text.ts'
import { isAffordable, matchesGlob, MAX_STARS, parseGlob } from '../glob.ts'
import { orList, readList } from '../lists.ts'
import { exactOf, parseExact } from '../numbers.ts'
import { isJudgeable } from '../text.ts'

/** What an `arg` line asks of one value. */
export interface ArgRule {
  /** In plain words, after the argument's name. */
  readonly words: string
  holds(value: unknown): boolean
  /** Names the way in which `scalar` sees values: rules of one view share an attribute. */
  readonly view: string
  /** The value as Cedar gets it; undefined where it cannot hold. */
  readonly scalar: (value: unknown) => Scalar | undefined
  /** The condition over the attribute's expression. */
  cedar(value: string): string
}

/** Reads the value of an `arg` line; a text is the reason why it does not parse. */
export function readRule(op: Op, value: string): ArgRule | string {
  return READERS[op]?.(value) ?? `the op \`${op}\` is not known`
}

const READERS: Readonly<Partial<Record<Op, (value: string) => ArgRule | string>>> = {
  '=': equalRule,
  prefix: prefixRule,
  glob: globRule,
  in: inRule,
  '<=': (value) => boundRule('<=', value),
  '>=': (value) => boundRule('>=', value),
}

function equalRule(wanted: string): ArgRule {
  return {
    words: `is \`${wanted}\``,
    holds: (value) => spelled(value) === wanted,
    view: 'spelled',
    scalar: spelled,
    cedar: (value) => `${value} == ${quote(wanted)}`,
  }
}

function inRule(list: string): ArgRule | string {
  const read = readList(list)
  if (typeof read === 'string') return read
  const wanted = new Set(read)
  const items = [...wanted]
  return {
    get words() {
      return `is ${orList(items.map((item) => `\`${item}\``))}`
    },
    holds(value) {
      const text = spelled(value)
      return text !== undefined && wanted.has(text)
    },
    view: 'spelled',
    scalar: spelled,
    cedar: (value) => `${quoteSet(items)}.contains(${value})`,
  }
}

function prefixRule(start: string): ArgRule {
  return {
    words: `begins with \`${start}\``,
    holds: (value) => isJudgeable(value) && value.startsWith(start),
    view: 'text',
    scalar: (value) => (isJudgeable(value) ? value : undefined),
    cedar: (value) => `${value} like ${pattern([start, ''])}`,
  }
}

function globRule(text: string): ArgRule | string {
  const glob = parseGlob(text)
  if (glob === undefined) return `the glob has more than ${MAX_STARS} stars; use fewer`
  const looksAt = (value: unknown): value is string =>
    isJudgeable(value) && isAffordable(glob, value)
  return {
    words: `matches \`${text}\``,
    holds: (value) => looksAt(value) && matchesGlob(glob, value),
    view: `glob ${text}`,
    scalar: (value) => (looksAt(value) ? value : undefined),
    cedar: (value) => `${value} like ${pattern(glob.pieces)}`,
  }
}

function boundRule(op: '<=' | '>=', text: string): ArgRule | string {
  const bound = parseExact(text)
  if (bound === undefined) {
    return `\`${text}\` is no number of at most 4 decimals and below 9·10^14 in size`
  }
  const most = op === '<='
  return {
    words: `is a number, at ${most ? 'most' : 'least'} ${text}`,
    holds(value) {
      const number = exactOf(value)
      if (number === undefined) return false
      return most ? number.scaled <= bound.scaled : number.scaled >= bound.scaled
    },
    view: 'number',
    scalar(value) {
      const number = exactOf(value)
      return number === undefined ? undefined : { decimal: number.text }
    },
    cedar: (value) =>
      `${value}.${most ? 'lessThanOrEqual' : 'greaterThanOrEqual'}(${decimal(bound.text)})`,
  }
}

/** A string as it is; an integer or boolean in JSON's spelling; undefined for all else. */
function spelled(value: unknown): string | undefined {
  if (typeof value === 'string') return isJudgeable(value) ? value : undefined
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return JSON.stringify(value)
  return undefined
}
