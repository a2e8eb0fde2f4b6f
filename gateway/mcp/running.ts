/** Which call of which client: the last link of its token, the name that its session goes by, and the request's id. */
export interface CallName {
  readonly link: string
  readonly session: string | undefined
  readonly id: string | number
}

/** Calls under way that their client can cancel by name, from another connection than the one that waits for them. */
export interface Running {
  /** `cancel` ends the call; the function that is given forgets it. */
  add(name: CallName, cancel: () => void): () => void
  cancel(name: CallName): void
}

export function createRunning(): Running {
  const calls = new Map<string, Set<() => void>>()
  return {
    add(name, cancel) {
      // Without a session the ids of two clients of one token could be alike.
      if (name.session === undefined) return () => {}
      const key = keyOf(name)
      const same = calls.get(key) ?? new Set()
      calls.set(key, same.add(cancel))
      return () => {
        same.delete(cancel)
        if (same.size === 0) calls.delete(key)
      }
    },
    cancel(name) {
      for (const cancel of calls.get(keyOf(name)) ?? []) cancel()
    },
  }
}

function keyOf({ link, session, id }: CallName): string {
  return JSON.stringify([link, session, id])
}
