import { problemOfSource } from './fault.ts'
import { fromOf, isMembers } from './calls.ts'

/**
 * Arguments with the values of earlier answers in their places. A path goes by the names of members and the indexes of lists.
 * @throws Refusal where an answer has no such value
 */
export function filledIn(value: unknown, outputs: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => filledIn(one, outputs))
  if (!isMembers(value)) return value
  const from = fromOf(value)
  if (from !== undefined) return valueAt(outputs.get(from.key), from)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, filledIn(member, outputs)]),
  )
}

function valueAt(
  output: unknown,
  { key, path }: { readonly key: string; readonly path: readonly string[] },
): unknown {
  let value = output
  for (const name of path) {
    const inside = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    if (!inside) throw problemOfSource([key, ...path].join('.'))
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  if (value === undefined) throw problemOfSource(key)
  return value
}
