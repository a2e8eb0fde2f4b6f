import type { Comparable, Tests, Where } from './types.ts'

/** Stands for an object or array where values are compared: it equals nothing, but it is there. */
export const CONTAINER = Object.freeze({})

/** The values that one path has in one row: none where it is missing, several behind `[]`. */
export type Values = readonly unknown[]

/** Gives the values of a path in the row at hand. */
export type Lookup = (path: string) => Values

/** Whether the row that `lookup` reads passes the filter. */
export function passes(where: Where, lookup: Lookup): boolean {
  for (const [key, value] of Object.entries(where)) {
    if (value === undefined) continue
    if (!holds(key, value, lookup)) return false
  }
  return true
}

function holds(key: string, value: NonNullable<Where[string]> | null, lookup: Lookup): boolean {
  if (key === 'and') return (value as readonly Where[]).every((part) => passes(part, lookup))
  if (key === 'or') return (value as readonly Where[]).some((part) => passes(part, lookup))
  if (key === 'not') return !passes(value as Where, lookup)
  return fieldHolds(testsOf(value as Comparable | Tests), lookup(key))
}

function testsOf(value: Comparable | Tests): Tests {
  return value !== null && typeof value === 'object' ? value : { eq: value }
}

/** `ne` and `exists` speak of the path as a whole; some one value must satisfy all the other tests. */
function fieldHolds(tests: Tests, values: Values): boolean {
  const { ne, exists, ...each } = tests
  if (exists !== undefined && exists !== values.length > 0) return false
  if (ne !== undefined && values.includes(ne)) return false
  const names = Object.keys(each) as (keyof typeof VALUE_TESTS)[]
  if (names.length === 0) return true
  return values.some((value) => names.every((name) => VALUE_TESTS[name](value, each[name])))
}

const VALUE_TESTS = {
  eq: (value: unknown, wanted: unknown) => value === wanted,
  in: (value: unknown, wanted: unknown) => (wanted as Values).includes(value),
  lt: (value: unknown, wanted: unknown) => comparable(value, wanted) && compare(value, wanted) < 0,
  lte: (value: unknown, wanted: unknown) =>
    comparable(value, wanted) && compare(value, wanted) <= 0,
  gt: (value: unknown, wanted: unknown) => comparable(value, wanted) && compare(value, wanted) > 0,
  gte: (value: unknown, wanted: unknown) =>
    comparable(value, wanted) && compare(value, wanted) >= 0,
  prefix: (value: unknown, wanted: unknown) =>
    typeof value === 'string' && value.startsWith(wanted as string),
  glob: (value: unknown, wanted: unknown) =>
    typeof value === 'string' && matchesGlob(value, wanted as string),
}

function comparable(one: unknown, two: unknown): boolean {
  return typeof one === typeof two && (typeof one === 'number' || typeof one === 'string')
}

const RANKS: readonly string[] = ['number', 'string', 'boolean', 'object']

/**
 * A total order over values: numbers, then texts by code point, then false and true, then null and
 * containers, which are all equal.
 */
export function compare(one: unknown, two: unknown): number {
  if (typeof one !== typeof two) return RANKS.indexOf(typeof one) - RANKS.indexOf(typeof two)
  if (typeof one === 'string') return compareText(one, two as string)
  if (typeof one === 'object') return 0
  return Number(one) - Number(two)
}

/** By code point: UTF-16 units sort alike, but for surrogates, which stand for the highest of all. */
function compareText(one: string, two: string): number {
  const end = Math.min(one.length, two.length)
  for (let at = 0; at < end; at++) {
    const difference = weight(one.charCodeAt(at)) - weight(two.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return one.length - two.length
}

function weight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit
}

/** Matches a whole text against a pattern in which `*` stands for any characters, in linear steps. */
export function matchesGlob(text: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return text === pattern
  const tail = rest.pop()!
  if (text.length < head.length + tail.length) return false
  if (!text.startsWith(head) || !text.endsWith(tail)) return false
  let at = head.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - tail.length
}

/** Every path that a filter names. */
export function pathsOfWhere(where: Where): readonly string[] {
  return Object.entries(where).flatMap(([key, value]) => {
    if (key === 'and' || key === 'or') return (value as readonly Where[]).flatMap(pathsOfWhere)
    return key === 'not' ? pathsOfWhere(value as Where) : [key]
  })
}
