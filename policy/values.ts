import type { Bearing } from './ask.ts'

/** Most values that a line looks at; where there are more, it does not hold. */
export const MAX_VALUES = 64

/** Stands for a missing argument among the values; no line holds for it. */
const MISSING = undefined

/**
 * The values of an argument at a path; where the path meets a list, those of every element. An
 * empty answer means that nothing was there to look at, or more than `MAX_VALUES`.
 */
export function valuesAt(args: unknown, path: readonly string[]): readonly unknown[] {
  // Most paths meet no list.
  let value = args
  let at = 0
  while (at < path.length && !Array.isArray(value)) value = memberOf(value, path[at++]!)
  return Array.isArray(value) ? allValuesAt(args, path) : [value]
}

function allValuesAt(args: unknown, path: readonly string[]): readonly unknown[] {
  let found: readonly unknown[] = [args]
  for (const name of path) {
    const below = flatten(found.map((value) => memberOf(value, name)))
    if (below === undefined) return []
    found = below
  }
  return found
}

/** The distinct values of a bearing; empty where there are none, or more than `MAX_VALUES`. */
export function bornValues(bearing: Bearing): readonly unknown[] {
  if (bearing.kind !== 'values') return []
  const { values } = bearing
  const distinct = values.length < 2 ? values : [...new Set(values)]
  return distinct.length > MAX_VALUES ? [] : distinct
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return MISSING
  // Own members alone: `constructor` and its like are no arguments.
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : MISSING
}

/** Lists opened, at any depth; an empty list counts as a missing value. Undefined: too many. */
function flatten(values: readonly unknown[]): readonly unknown[] | undefined {
  const flat: unknown[] = []
  const waiting = values.toReversed()
  let looked = 0
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (!Array.isArray(value)) flat.push(value)
    else if (value.length === 0) flat.push(MISSING)
    else if (value.length > MAX_VALUES) return undefined
    else waiting.push(...value.toReversed())
    if (flat.length > MAX_VALUES || ++looked > MAX_LOOKED) return undefined
  }
  return flat
}

// Lists in lists of one element each hold few values and yet take long to open.
const MAX_LOOKED = MAX_VALUES * 16
