import type { Given } from './given.ts'

/** Something that makes records durable for callers who wait for it. */
export interface Contender {
  readonly name: string
  /** Resolves once the receipt is durable. */
  append(given: Given): Promise<unknown>
  /** What it kept, read back from where it lies: records as they were given, in any order. */
  kept(): Promise<readonly unknown[]>
  close(): Promise<void>
}

/**
 * Appends in groups: at once where nothing is under way, else what came meanwhile goes with the next group. The texts
 * of a group are durable when `write` is done.
 */
export function inGroups(
  write: (texts: readonly string[]) => Promise<unknown> | void,
): Contender['append'] {
  let waiting: { readonly json: string; readonly done: (failed?: unknown) => void }[] = []
  let running = false
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      let failed: unknown
      try {
        await write(group.map(({ json }) => json))
      } catch (error) {
        failed = error
      }
      for (const { done } of group) done(failed)
      // The callers of the group come with their next records.
      await new Promise(setImmediate)
    }
    running = false
  }
  return ({ whole: { json } }) =>
    new Promise<void>((resolve, reject) => {
      const done = (failed?: unknown) => (failed === undefined ? resolve() : reject(failed))
      waiting.push({ json, done })
      if (running) return
      running = true
      setImmediate(() => void run())
    })
}
