import type { Refusal } from '../refusal.ts'
import { isMembers, problemOfCall, type PlannedCall, type DraftCall } from './calls.ts'
import { fromOf, namesOf, sourceOf, type CallNames } from './names.ts'

/** Every `{"$from": …}` in a value, at any depth. */
export function sourcesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(sourcesIn)
  if (!isMembers(value)) return []
  const from = fromOf(value)
  return from === undefined ? Object.values(value).flatMap(sourcesIn) : [from]
}

/** A key names one call, and what a call needs is there and does not need it in turn. */
export function linked(drafts: readonly DraftCall[]): readonly PlannedCall[] {
  const unique = withOwnKeys(drafts)
  const names = namesOf(unique)
  const calls = unique.map((draft) => withNeeds(draft, names))
  const needsOf = new Map(calls.map(({ key, needs }) => [key, needs]))
  return calls.map((call) => {
    if (!isInCircle(call.key, needsOf)) return call
    const got = `a circle through \`${call.key}\``
    return broken(call, problemOfCall('with', got, 'let no call wait for itself'))
  })
}

function withOwnKeys(drafts: readonly DraftCall[]): readonly DraftCall[] {
  const seen = new Set<string>()
  return drafts.map((draft) => {
    const { at, key } = draft
    if (!seen.has(key)) {
      seen.add(key)
      return draft
    }
    const refused = problemOfCall('key', `\`${key}\``, 'give each call a key of its own')
    const does = { kind: 'broken', refused } as const
    return { at, key: `${at}:${key}`, waits: [], takes: [], does }
  })
}

function withNeeds({ waits, takes, ...call }: DraftCall, names: CallNames): PlannedCall {
  const needs = new Set<string>()
  for (const text of [...waits, ...takes]) {
    const source = sourceOf(text, names)
    // Only a value has a path in the answer.
    if (source === undefined || (source.path.length > 0 && !takes.includes(text)))
      return broken({ ...call, needs: [] }, unknownCall(text))
    for (const key of source.keys) needs.add(key)
  }
  return { ...call, needs: [...needs] }
}

function unknownCall(text: string): Refusal {
  const got = `\`${text.slice(0, 128)}\``
  return problemOfCall('with', got, 'name a call of this batch by its key')
}

function broken(call: PlannedCall, refused: Refusal): PlannedCall {
  return { ...call, needs: [], does: { kind: 'broken', refused } }
}

function isInCircle(key: string, needsOf: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>()
  const waiting = [...(needsOf.get(key) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === key) return true
    if (!seen.has(next)) waiting.push(...(needsOf.get(next) ?? []))
    seen.add(next)
  }
  return false
}
