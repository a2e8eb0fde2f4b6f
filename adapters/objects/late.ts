import type { Bucket } from './bucket.ts'

/** Something that is opened when it is first asked for; where that fails, the next asking tries again. */
export interface Late<T> {
  get(): Promise<T>
  /** What was opened, or undefined: it opens nothing. */
  opened(): Promise<T | undefined>
}

export function createLate<T>(open: () => Promise<T>): Late<T> {
  let opening: Promise<T> | undefined
  return {
    get: () =>
      (opening ??= open().catch((error: unknown) => {
        opening = undefined
        throw error
      })),
    opened: async () => opening?.catch(() => undefined),
  }
}

/** A bucket that is opened at its first call. */
export function lateBucket(open: () => Promise<Bucket>): Bucket {
  const late = createLate(open)
  return {
    head: async (key) => (await late.get()).head(key),
    get: async (key, options) => (await late.get()).get(key, options),
    put: async (key, value, options) => (await late.get()).put(key, value, options),
    delete: async (keys) => (await late.get()).delete(keys),
    list: async (options) => (await late.get()).list(options),
    close: async () => (await late.opened())?.close(),
  }
}
