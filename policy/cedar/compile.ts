import type { Caveat } from '../caveat.ts'
import type { Attribute, AttributeNames } from './clause.ts'
import { all } from './text.ts'

/** The lines of a token as one Cedar policy. */
export interface CedarPolicy {
  /** The policy's source. A verdict depends on it and on the context alone. */
  readonly text: string
  /** What its context holds; the name of each is `contextName` of its place. */
  readonly attributes: readonly Attribute[]
  /** The times at which its verdict may change, ascending, in milliseconds since the epoch. */
  readonly deadlines: readonly number[]
}

/** Names in the context are ours: none that a caller chose reaches the engine. */
export function contextName(place: number): string {
  return `x${place}`
}

/**
 * One `permit` whose conditions must all hold. Never a `forbid`: Cedar skips a policy that errors,
 * so a `forbid` would then let the call through.
 */
export function compilePolicy(caveats: readonly Caveat[]): CedarPolicy {
  const places = new Map<string, number>()
  const attributes: Attribute[] = []
  const conditions: string[] = []
  for (const { clause } of caveats) {
    if (clause.cedar === undefined) continue
    for (const attribute of clause.cedar.attributes) {
      if (places.has(attribute.key)) continue
      places.set(attribute.key, attributes.length)
      attributes.push(attribute)
    }
    conditions.push(clause.cedar.condition(namesIn(places)))
  }
  return {
    text: `permit (principal, action, resource) when { ${all(conditions)} };`,
    attributes,
    deadlines: deadlinesOf(caveats),
  }
}

function namesIn(places: ReadonlyMap<string, number>): AttributeNames {
  const name = (key: string): string => {
    const place = places.get(key)
    if (place === undefined) throw new Error(`attribute: \`${key}\` is not declared by its line`)
    return contextName(place)
  }
  return {
    at: (key) => `context.${name(key)}`,
    has: (key) => `context has ${name(key)}`,
  }
}

function deadlinesOf(caveats: readonly Caveat[]): readonly number[] {
  const times = caveats.flatMap(({ clause }) => clause.facts?.expires ?? [])
  return [...new Set(times)].sort((a, b) => a - b)
}
