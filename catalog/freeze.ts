/** Freezes a value and all that it holds, however deep; gives it back. */
export function freezeDeep<T>(value: T): T {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    Object.freeze(next)
    for (const member of Object.values(next)) pending.push(member)
  }
  return value
}
