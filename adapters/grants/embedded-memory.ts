import type { Database } from 'better-sqlite3'
import { createMemory } from './memory.ts'
import type { Grants } from './port.ts'

/** What could not be looked up for so long is not relied on: a revoked token must end within a second. */
const STALE_MS = 1000

/** All revocations and leashes, as fresh as the last look at the file. */
export interface EmbeddedMemory extends Pick<Grants, 'revoked' | 'leashOf' | 'onChange'> {
  /** Looks whether another process changed the file. */
  look(): void
  /** Reads anew, after a change of one's own. */
  refresh(): void
  /** Looks where the last look was too long ago. Throws where that fails. */
  freshen(): void
  ready(): boolean
}

export function createEmbeddedMemory(db: Database, file: string): EmbeddedMemory {
  const selectSubjects = db.prepare<[], string>('SELECT subject FROM revocations').pluck()
  const selectLeashes = db.prepare<[], { id: string; lines: string }>(
    'SELECT id, lines FROM leashes ORDER BY seq',
  )
  const memory = createMemory()
  let version: unknown
  let looked = 0

  const refresh = (): void => {
    const leashes = selectLeashes.all()
    memory.reset([
      ...selectSubjects.all().map((subject) => ({ subject })),
      ...leashes.map(({ id, lines }) => ({ subject: id, leash: JSON.parse(lines) as string[] })),
    ])
  }
  const look = (): void => {
    const current = db.pragma('data_version', { simple: true })
    if (current !== version) refresh()
    version = current
    looked = performance.now()
  }
  const freshen = (): void => {
    // The timer may be late because the process was busy: then this call looks for itself, or throws.
    if (performance.now() - looked <= STALE_MS) return
    try {
      look()
    } catch (cause) {
      throw new Error(
        `revocations ${file}: they cannot be read; check the file and its folder's mode`,
        { cause },
      )
    }
  }
  look()

  return {
    look,
    refresh,
    freshen,
    ready() {
      try {
        freshen()
        return true
      } catch {
        return false
      }
    },
    revoked(id, links) {
      freshen()
      return memory.revoked(id, links)
    },
    leashOf(id) {
      freshen()
      return memory.leashOf(id)
    },
    onChange: memory.onChange,
  }
}
