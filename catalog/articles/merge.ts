import { isMembers } from '../check.ts'

/** Deeper than any member of an article whose members are merged. */
const MOST_DEEP = 8

/** JSON merge patch (RFC 7396): members of the patch replace those of the target, null takes one out. */
export function mergePatch(target: unknown, patch: unknown, deep = 0): unknown {
  // What is nested so deep is no article, and would only fill the stack.
  if (!isMembers(patch) || deep > MOST_DEEP) return patch
  const merged = new Map(Object.entries(isMembers(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value, deep + 1))
  }
  return Object.fromEntries(merged)
}
