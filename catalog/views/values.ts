import type { FieldType, Kept, TimeUnit } from './types.ts'

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/
const LONGEST = 4096

/**
 * A time as rows hold it: UTC with milliseconds. A date is its beginning. Undefined where it is none, or lies
 * outside the years 1 to 9999, of which texts sort as the times do.
 */
export function keptTime(text: string): string | undefined {
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) return undefined
  const written = new Date(ms).toISOString()
  return written.length === 24 && written >= '0001' ? written : undefined
}

/** A text as every back end can hold it: no NUL, and no half of a surrogate pair. */
export function keptText(text: string): string {
  return text.replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD')
}

/** Whole microseconds, as far as that many digits can say them. */
function keptMilliseconds(ms: number): number {
  return Number((ms * 1000).toPrecision(15))
}

/** A value that is compared with, as back ends keep the field’s values; undefined where it is of another kind. */
export function keptValue(type: FieldType, value: unknown): string | number | undefined {
  switch (type) {
    case 'text':
      return typeof value === 'string' && value.length <= LONGEST ? keptText(value) : undefined
    case 'time':
      return typeof value === 'string' ? keptTime(value) : undefined
    case 'number':
      return typeof value === 'number' ? value : undefined
    case 'milliseconds':
      return typeof value === 'number' ? keptMilliseconds(value) : undefined
    case 'flag':
      return typeof value === 'boolean' ? Number(value) : undefined
  }
}

/** What to write where a value does not fit. */
export const VALUE_REPAIRS: Readonly<Record<FieldType, string>> = {
  text: `write a text of at most ${LONGEST} characters`,
  time: 'write a time such as `2027-01-31T12:00:00Z`, or a date',
  number: 'write a number',
  milliseconds: 'write a number of milliseconds',
  flag: 'write true or false',
}

/** A kept value as answers show it. */
export function shownValue(type: FieldType, kept: Kept): string | number | boolean | null {
  if (typeof kept !== 'number') return kept
  if (type === 'flag') return kept === 1
  return type === 'milliseconds' ? kept / 1000 : kept
}

export const TIME_UNITS: readonly TimeUnit[] = ['minute', 'hour', 'day', 'week', 'month', 'year']

const DAY_MS = 86_400_000

/** Where the bucket begins that a time lies in; `time` is one that `keptTime` gave. */
export function bucketOf(unit: TimeUnit, time: string): string {
  if (unit === 'week') {
    const date = new Date(`${time.slice(0, 10)}T00:00:00Z`)
    const sinceMonday = (date.getUTCDay() + 6) % 7
    return new Date(date.getTime() - sinceMonday * DAY_MS).toISOString()
  }
  const { length, rest } = BUCKETS[unit]
  return time.slice(0, length) + rest
}

/** How much of a time says its bucket, and what stands behind it at the bucket’s beginning. */
export const BUCKETS: Readonly<
  Record<Exclude<TimeUnit, 'week'>, { readonly length: number; readonly rest: string }>
> = {
  minute: { length: 16, rest: ':00.000Z' },
  hour: { length: 13, rest: ':00:00.000Z' },
  day: { length: 10, rest: 'T00:00:00.000Z' },
  month: { length: 7, rest: '-01T00:00:00.000Z' },
  year: { length: 4, rest: '-01-01T00:00:00.000Z' },
}
