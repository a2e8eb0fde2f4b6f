import { rm } from 'node:fs/promises'
import type { BodyFolder, StoredBody } from './folder.ts'

/** Knows which bodies are kept, and erases the oldest where the limit asks for it. */
export interface BodyShelf {
  /** Whether the body is kept; asking makes it the youngest. */
  touch(sha256: string): boolean
  add(body: StoredBody): void
  /** Resolves once no erasure of this body is under way, which could hit its successor. */
  erased(sha256: string): Promise<void>
  /** Forgets a body whose file is gone. */
  forget(sha256: string): void
  stats(): { readonly bodies: number; readonly bytes: number; readonly limit: number }
}

export function createBodyShelf(
  folder: BodyFolder,
  options: {
    readonly limit: number
    /** The oldest first. */
    readonly bodies: readonly StoredBody[]
    readonly onErased: (body: StoredBody) => void
  },
): BodyShelf {
  const { limit, onErased } = options
  /** In the order of age, as a Map keeps it. */
  const sizes = new Map<string, number>()
  const erasures = new Map<string, Promise<void>>()
  let total = 0

  const erase = (sha256: string, bytes: number): void => {
    sizes.delete(sha256)
    total -= bytes
    // A file that cannot be removed is found, and counted, at the next start.
    const erasure = rm(folder.pathOf(sha256), { force: true })
      .catch(() => undefined)
      .finally(() => erasures.delete(sha256))
    erasures.set(sha256, erasure)
    onErased({ sha256, bytes })
  }
  const shrink = (): void => {
    for (const [sha256, bytes] of sizes) {
      if (total <= limit) return
      erase(sha256, bytes)
    }
  }
  const put = (sha256: string, bytes: number): void => {
    if (sizes.has(sha256)) return
    sizes.set(sha256, bytes)
    total += bytes
  }

  for (const { sha256, bytes } of options.bodies) put(sha256, bytes)
  shrink()
  return {
    touch(sha256) {
      const bytes = sizes.get(sha256)
      if (bytes === undefined) return false
      sizes.delete(sha256)
      sizes.set(sha256, bytes)
      return true
    },
    add({ sha256, bytes }) {
      put(sha256, bytes)
      shrink()
    },
    erased: async (sha256) => erasures.get(sha256),
    forget(sha256) {
      const bytes = sizes.get(sha256)
      if (bytes !== undefined && sizes.delete(sha256)) total -= bytes
    },
    stats: () => ({ bodies: sizes.size, bytes: total, limit }),
  }
}
