import type { Bucket } from './bucket.ts'

/** A bucket that is opened at its first call; where that fails, the next call tries again. */
export function lateBucket(open: () => Promise<Bucket>): Bucket {
  let opening: Promise<Bucket> | undefined
  const opened = (): Promise<Bucket> =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    }))
  return {
    head: async (key) => (await opened()).head(key),
    get: async (key, options) => (await opened()).get(key, options),
    put: async (key, value, options) => (await opened()).put(key, value, options),
    delete: async (keys) => (await opened()).delete(keys),
    list: async (options) => (await opened()).list(options),
    close: async () => (await opening)?.close(),
  }
}
