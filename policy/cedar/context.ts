import type { Ask } from '../ask.ts'
import type { Attribute, Scalar } from './clause.ts'
import { contextName, type CedarPolicy } from './compile.ts'

/** What a policy's attributes read from one call, in their order. */
export type Readings = readonly (readonly (Scalar | undefined)[])[]

type CedarValue = string | boolean | number | { readonly __extn: { fn: 'decimal'; arg: string } }

/** The context of one request to Cedar. */
export type CedarContext = Record<string, CedarValue>

export function readAttributes(policy: CedarPolicy, ask: Ask): Readings {
  return policy.attributes.map((attribute) => attribute.read(ask))
}

/**
 * One request for each element of a list. All of them must be allowed, and a conjunction holds for
 * all elements where each of its parts does, so that lists go side by side: the shorter ones repeat
 * their last element.
 */
export function contextsOf(readings: Readings): readonly CedarContext[] {
  const requests = readings.reduce((most, { length }) => Math.max(most, length), 1)
  return Array.from({ length: requests }, (_, request) => contextOf(readings, request))
}

/**
 * The readings as one text, different for different readings. Without the clock, which would make
 * every call a new one.
 */
export function sliceOf(attributes: readonly Attribute[], readings: Readings): string {
  let slice = ''
  for (const [place, values] of readings.entries()) {
    if (attributes[place]?.timed) continue
    slice += `${values.length}[`
    for (const value of values) slice += spell(value)
  }
  return slice
}

/** True where two calls read the same, and so share every slice; cheaper than spelling both. */
export function sameReadings(attributes: readonly Attribute[], a: Readings, b: Readings): boolean {
  return a.every((values, place) => {
    if (attributes[place]?.timed) return true
    const others = b[place]
    if (values.length !== others?.length) return false
    return values.every((value, at) => sameScalar(value, others[at]))
  })
}

function sameScalar(a: Scalar | undefined, b: Scalar | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  return a.decimal === b.decimal
}

function contextOf(readings: Readings, request: number): CedarContext {
  const context: CedarContext = {}
  for (const [place, values] of readings.entries()) {
    const value = values[Math.min(request, values.length - 1)]
    if (value !== undefined) context[contextName(place)] = encode(value)
  }
  return context
}

function encode(value: Scalar): CedarValue {
  return typeof value === 'object' ? { __extn: { fn: 'decimal', arg: value.decimal } } : value
}

// A text goes with its length, so that no value can pass for the end of one and the next.
function spell(value: Scalar | undefined): string {
  if (value === undefined) return '-'
  if (typeof value === 'string') return `s${value.length}:${value}`
  return typeof value === 'object' ? `d${value.decimal};` : `${value};`
}
