import { rm, utimes } from 'node:fs/promises'
import type { BodyFolder } from './folder.ts'
import type { Erasure, StoredBody } from './port.ts'

/** A use is noted at the file so often at most: how long a body is kept is a matter of days. */
const STAMP_MS = 3_600_000
/** So many bodies are erased at one time. */
const ERASED_AT_ONCE = 100

/** Knows which bodies are kept, and erases the oldest where the limit, or their age, asks for it. */
export interface BodyShelf {
  /** Whether the body is kept; asking makes it the youngest. */
  touch(sha256: string): boolean
  add(body: Pick<StoredBody, 'sha256' | 'bytes'>): void
  /** Erases what is beyond the limit. */
  shrink(): void
  /** Erases what was used last before a time, each body once `record` has resolved. */
  eraseOlder(before: number, record: (body: StoredBody) => Promise<unknown>): Promise<Erasure>
  /** Resolves once no erasure of this body is under way, which could hit its successor. */
  erased(sha256: string): Promise<void>
  /** Forgets a body whose file is gone. */
  forget(sha256: string): void
  stats(): { readonly bodies: number; readonly bytes: number; readonly limit: number }
}

interface Kept {
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly used: number
  /** The use that the file's time tells of. */
  readonly stamped: number
}

export function createBodyShelf(
  folder: BodyFolder,
  options: {
    readonly limit: number
    /** The oldest first. */
    readonly bodies: readonly StoredBody[]
    readonly onErased: (body: Pick<StoredBody, 'sha256' | 'bytes'>) => void
  },
): BodyShelf {
  const { limit, onErased } = options
  /** In the order of age, as a Map keeps it. */
  const kept = new Map<string, Kept>()
  const erasures = new Map<string, Promise<void>>()
  let total = 0

  const take = (sha256: string): Kept | undefined => {
    const body = kept.get(sha256)
    if (body === undefined || !kept.delete(sha256)) return undefined
    total -= body.bytes
    return body
  }
  const put = (sha256: string, body: Kept): void => {
    if (kept.has(sha256)) return
    kept.set(sha256, body)
    total += body.bytes
  }
  /** A file that cannot be removed is found, and counted, at the next start. */
  const remove = (sha256: string) =>
    rm(folder.pathOf(sha256), { force: true }).catch(() => undefined)
  const under = (sha256: string, work: Promise<unknown>): void => {
    const erasure = work.then(
      () => void erasures.delete(sha256),
      () => void erasures.delete(sha256),
    )
    erasures.set(sha256, erasure)
  }
  const shrink = (): void => {
    for (const [sha256, { bytes }] of kept) {
      if (total <= limit) return
      take(sha256)
      under(sha256, remove(sha256))
      onErased({ sha256, bytes })
    }
  }
  /** False where it was used meanwhile, or its erasure could not be recorded. */
  const eraseOne = async (
    sha256: string,
    before: number,
    record: (body: StoredBody) => Promise<unknown>,
  ): Promise<number | undefined> => {
    if ((kept.get(sha256)?.used ?? before) >= before) return undefined
    const body = take(sha256)
    if (body === undefined) return undefined
    // Whoever records these bytes anew meanwhile waits for this, and stores them once more.
    const work = record({ sha256, ...body }).then(() => remove(sha256))
    under(sha256, work)
    try {
      await work
      return body.bytes
    } catch (error) {
      put(sha256, body)
      throw error
    }
  }

  for (const { sha256, bytes, used } of options.bodies) put(sha256, { bytes, used, stamped: used })
  return {
    touch(sha256) {
      const body = take(sha256)
      if (body === undefined) return false
      const now = Date.now()
      const isDue = now - body.stamped > STAMP_MS
      if (isDue) void utimes(folder.pathOf(sha256), now / 1000, now / 1000).catch(() => undefined)
      put(sha256, { ...body, used: now, stamped: isDue ? now : body.stamped })
      return true
    },
    add({ sha256, bytes }) {
      const now = Date.now()
      put(sha256, { bytes, used: now, stamped: now })
      shrink()
    },
    shrink,
    async eraseOlder(before, record) {
      const old = [...kept].filter(([, { used }]) => used < before).map(([sha256]) => sha256)
      const done = { bodies: 0, bytes: 0 }
      for (let at = 0; at < old.length; at += ERASED_AT_ONCE) {
        const some = old.slice(at, at + ERASED_AT_ONCE)
        const sizes = await Promise.all(some.map((sha256) => eraseOne(sha256, before, record)))
        for (const bytes of sizes.filter((size) => size !== undefined)) {
          done.bodies += 1
          done.bytes += bytes
        }
      }
      return done
    },
    erased: async (sha256) => erasures.get(sha256),
    forget: (sha256) => void take(sha256),
    stats: () => ({ bodies: kept.size, bytes: total, limit }),
  }
}
