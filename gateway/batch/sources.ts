import { isMembers } from './calls.ts'
import { problemOfSource } from './fault.ts'
import { fromOf, sourceOf, type CallNames } from './names.ts'

/** What the calls of a batch answered so far. */
export interface Outputs {
  readonly names: CallNames
  readonly of: ReadonlyMap<string, unknown>
}

/**
 * Arguments with the values of earlier answers in their places. A path goes by the names of members and the indexes of lists.
 * @throws Refusal where an answer has no such value
 */
export function filledIn(value: unknown, outputs: Outputs): unknown {
  if (Array.isArray(value)) return value.map((one) => filledIn(one, outputs))
  // A number that no double holds is an object without members, and stays what it is.
  if (!isMembers(value) || Object.keys(value).length === 0) return value
  const from = fromOf(value)
  if (from !== undefined) return valueAt(from, outputs)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, filledIn(member, outputs)]),
  )
}

function valueAt(from: string, { names, of }: Outputs): unknown {
  const source = sourceOf(from, names)
  if (source === undefined) throw problemOfSource(from)
  const { keys, isGroup, path } = source
  let value: unknown = isGroup ? keys.map((key) => of.get(key)) : of.get(keys[0]!)
  for (const name of path) {
    const inside = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    if (!inside) throw problemOfSource(from)
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  if (value === undefined) throw problemOfSource(from)
  return value
}
