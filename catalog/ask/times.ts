import { bucketOf, keptTime } from '../views/values.ts'
import type { TimeUnit } from '../views/types.ts'
import { wholeNumber } from './amounts.ts'
import type { Token } from './tokens.ts'

const DAY = 86_400_000

/** From a time on, up to another; each RFC 3339 in UTC. */
export interface Span {
  readonly from?: string
  readonly until?: string
}

/** What times are reckoned from, in milliseconds since the epoch. */
interface Clock {
  readonly now: number
  /** The day that a time of day is one of; today where it is undefined. */
  readonly day: number | undefined
}

export interface ReadSpan extends Span {
  /** Words that it took. */
  readonly length: number
}

/** A time that a question names, with the end of what it names: a day has one, a moment none of its own. */
interface Moment {
  readonly start: number
  readonly end: number
  readonly length: number
}

type Steps = 'second' | TimeUnit

const UNITS: Readonly<Record<string, Steps>> = Object.fromEntries(
  (['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const).flatMap((unit) => [
    [unit, unit],
    [`${unit}s`, unit],
  ]),
)

const FIXED: Readonly<Partial<Record<Steps, number>>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY,
  week: 7 * DAY,
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** Reads what a question says of time at a place: `yesterday`, `last 2 hours`, `since 2026-01-31`, `between … and …`. */
export function spanAt(tokens: readonly Token[], at: number, clock: Clock): ReadSpan | undefined {
  const word = tokens[at]?.word ?? ''
  if (['in', 'within', 'during', 'over', 'on', 'at', 'the'].includes(word)) {
    const behind = spanAt(tokens, at + 1, clock)
    return behind && { ...behind, length: behind.length + 1 }
  }
  return (
    rollingAt(tokens, at, clock) ??
    boundedAt(tokens, at, clock) ??
    wholeMoment(momentAt(tokens, at, clock), tokens[at])
  )
}

/** `last 15 minutes`, `past week`, `last hour`: so long back from now. */
function rollingAt(tokens: readonly Token[], at: number, clock: Clock): ReadSpan | undefined {
  if (!['last', 'past', 'previous'].includes(tokens[at]?.word ?? '')) return undefined
  const counted = wholeNumber(tokens[at + 1])
  const unit = unitAt(tokens, at + (counted === undefined ? 1 : 2))
  if (unit === undefined) return undefined
  return {
    from: instant(back(clock.now, counted ?? 1, unit)),
    length: counted === undefined ? 2 : 3,
  }
}

/** `since X`, `after X`, `before X`, `until X`, `between X and Y`, `from X to Y`. */
function boundedAt(tokens: readonly Token[], at: number, clock: Clock): ReadSpan | undefined {
  const word = tokens[at]?.word ?? ''
  const first = momentAt(tokens, at + 1, clock)
  if (first === undefined) return undefined
  const length = 1 + first.length
  const joint = tokens[at + length]?.word ?? ''
  if (word === 'between' || word === 'from') {
    const second = joins(word, joint) ? momentAt(tokens, at + length + 1, clock) : undefined
    if (second !== undefined)
      return {
        from: instant(first.start),
        until: instant(second.end),
        length: length + 1 + second.length,
      }
    return word === 'from' ? { from: instant(first.start), length } : undefined
  }
  if (word === 'since') return { from: instant(first.start), length }
  if (word === 'after') return { from: instant(first.end), length }
  if (word === 'before') return { until: instant(first.start), length }
  return word === 'until' || word === 'till' ? { until: instant(first.end), length } : undefined
}

function joins(word: string, joint: string): boolean {
  return word === 'between' ? joint === 'and' : ['to', 'until', 'till'].includes(joint)
}

/** A day, week or month by itself is meant whole; a moment by itself says nothing of how long. */
function wholeMoment(moment: Moment | undefined, token: Token | undefined): ReadSpan | undefined {
  if (moment === undefined || moment.start === moment.end || token?.word === 'now') return undefined
  return { from: instant(moment.start), until: instant(moment.end), length: moment.length }
}

function momentAt(tokens: readonly Token[], at: number, clock: Clock): Moment | undefined {
  return (
    namedAt(tokens, at, clock) ??
    writtenAt(tokens, at, clock) ??
    agoAt(tokens, at, clock) ??
    calendarAt(tokens, at, clock)
  )
}

/** `today`, `yesterday`, `now`, `this week`. */
function namedAt(tokens: readonly Token[], at: number, clock: Clock): Moment | undefined {
  const word = tokens[at]?.word
  const today = startOf('day', clock.now)
  if (word === 'now') return { start: clock.now, end: clock.now, length: 1 }
  if (word === 'today') return { start: today, end: today + DAY, length: 1 }
  if (word === 'yesterday') return { start: today - DAY, end: today, length: 1 }
  const unit = word === 'this' ? unitAt(tokens, at + 1) : undefined
  if (unit === undefined || unit === 'second') return undefined
  const start = startOf(unit, clock.now)
  return { start, end: next(start, unit), length: 2 }
}

/** A date, a date with its time, or a time of today; without an offset it is UTC. */
function writtenAt(tokens: readonly Token[], at: number, clock: Clock): Moment | undefined {
  const { text } = tokens[at] ?? { text: '' }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const day = parse(text)
    if (day === undefined) return undefined
    const time = clockAt(tokens, at + 1)
    if (time !== undefined) return { start: day + time, end: day + time, length: 2 }
    return { start: day, end: day + DAY, length: 1 }
  }
  const start = parse(text.includes('T') && !/[zZ]|[+-]\d{2}:\d{2}$/.test(text) ? `${text}Z` : text)
  if (start !== undefined) return { start, end: start, length: 1 }
  const time = clockAt(tokens, at)
  if (time === undefined) return undefined
  const moment = (clock.day ?? startOf('day', clock.now)) + time
  return { start: moment, end: moment, length: 1 }
}

function parse(text: string): number | undefined {
  const time = keptTime(text.toUpperCase())
  return time === undefined ? undefined : Date.parse(time)
}

/** Milliseconds into the day of `14:30`. */
function clockAt(tokens: readonly Token[], at: number): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(tokens[at]?.text ?? '') ?? []
  return hours === undefined ? undefined : Number(hours) * 3_600_000 + Number(minutes) * 60_000
}

/** `3 days ago`: the whole day; `2 hours ago`: the moment. */
function agoAt(tokens: readonly Token[], at: number, clock: Clock): Moment | undefined {
  const counted = wholeNumber(tokens[at])
  const unit = unitAt(tokens, at + 1)
  if (counted === undefined || unit === undefined || tokens[at + 2]?.word !== 'ago')
    return undefined
  const moment = back(clock.now, counted, unit)
  if (FIXED[unit] !== undefined && FIXED[unit] < DAY)
    return { start: moment, end: moment, length: 3 }
  const start = startOf('day', moment)
  return { start, end: start + DAY, length: 3 }
}

/** `monday` is the last one, today included; `january` the last one that has begun, or with its year. */
function calendarAt(tokens: readonly Token[], at: number, clock: Clock): Moment | undefined {
  const word = tokens[at]?.word ?? ''
  const weekday = WEEKDAYS.indexOf(word)
  const today = new Date(startOf('day', clock.now))
  if (weekday >= 0) {
    const start = today.getTime() - ((today.getUTCDay() - weekday + 7) % 7) * DAY
    return { start, end: start + DAY, length: 1 }
  }
  const month = MONTHS.indexOf(word)
  if (month < 0) return undefined
  const named = /^(?:19|20)\d{2}$/.test(tokens[at + 1]?.word ?? '')
  const past = month <= today.getUTCMonth() ? 0 : 1
  const year = named ? Number(tokens[at + 1]?.word) : today.getUTCFullYear() - past
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1), length: named ? 2 : 1 }
}

function unitAt(tokens: readonly Token[], at: number): Steps | undefined {
  const word = tokens[at]?.word ?? ''
  return Object.hasOwn(UNITS, word) ? UNITS[word] : undefined
}

/** So many units before; a month back from the 31st is the last day of the month before. */
function back(now: number, count: number, unit: Steps): number {
  const fixed = FIXED[unit]
  if (fixed !== undefined) return within(now - count * fixed)
  const date = new Date(now)
  const months = unit === 'year' ? 12 * count : count
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return within(date.getTime())
}

function startOf(unit: TimeUnit, time: number): number {
  return Date.parse(bucketOf(unit, new Date(time).toISOString()))
}

/** The beginning of the unit after the one that begins at `start`. */
function next(start: number, unit: TimeUnit): number {
  const fixed = FIXED[unit]
  if (fixed !== undefined) return start + fixed
  const date = new Date(start)
  return unit === 'year'
    ? Date.UTC(date.getUTCFullYear() + 1, 0)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** The nearest time that the ledger can say; what lies before all times has none. */
function within(time: number): number {
  return time >= FIRST ? Math.min(time, LAST) : FIRST
}

function instant(time: number): string {
  return new Date(within(time)).toISOString()
}
