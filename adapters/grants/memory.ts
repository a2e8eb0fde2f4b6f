import type { Grants } from './port.ts'

/** A subject that was revoked, or lines that were appended to a grant's leash. */
export interface Change {
  /** The grant's id, or the link that was revoked. */
  readonly subject: string
  readonly leash?: readonly string[]
}

/** All revocations and leashes, as they were when they were read last; how old that is others judge. */
export interface Memory extends Pick<Grants, 'revoked' | 'leashOf' | 'onChange'> {
  /** Everything there is, in the order in which it was done. */
  reset(all: readonly Change[]): void
  /** What was done since. */
  add(more: readonly Change[]): void
}

export function createMemory(): Memory {
  const listeners = new Set<() => void>()
  let subjects = new Set<string>()
  let leashes = new Map<string, readonly string[]>()
  let size = 0
  const take = (changes: readonly Change[]) => {
    for (const { subject, leash } of changes) {
      if (leash === undefined) subjects.add(subject)
      else leashes.set(subject, [...(leashes.get(subject) ?? []), ...leash])
    }
  }
  const tell = () => {
    for (const listener of listeners) listener()
  }
  return {
    reset(all) {
      const before = leashes
      subjects = new Set()
      leashes = new Map()
      take(all)
      for (const [id, lines] of leashes) {
        // A leash only grows: one of the same length is the same, and stays the same array.
        const old = before.get(id)
        if (old?.length === lines.length) leashes.set(id, old)
      }
      const changed = all.length !== size
      size = all.length
      if (changed) tell()
    },
    add(more) {
      if (more.length === 0) return
      take(more)
      size += more.length
      tell()
    },
    revoked: (id, links) => (subjects.has(id) ? id : links.find((link) => subjects.has(link))),
    leashOf: (id) => leashes.get(id),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
