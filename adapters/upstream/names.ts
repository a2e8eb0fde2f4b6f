import { LRUCache } from 'lru-cache'
import type { LookupAddress } from 'node:dns'

/** All addresses of a name, in the resolver's order. Rejects as `dns.lookup` does. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>

/** Names and their addresses; what is remembered is checked again at every dial. */
export interface Names {
  readonly lookup: Lookup
  /** Has the name looked up again: its addresses could not be reached, or may not be. */
  forget(host: string): void
}

const MOST_NAMES = 1_000

/**
 * Remembers each name's addresses for `ttl` ms, 0 for not at all: the system's resolver, which also reads the hosts
 * file, tells no time to live. Calls that come together share one look-up; a failed one is not remembered.
 */
export function rememberNames(lookup: Lookup, ttl: number): Names {
  const pending = new Map<string, Promise<readonly LookupAddress[]>>()
  const known =
    ttl > 0 ? new LRUCache<string, readonly LookupAddress[]>({ max: MOST_NAMES, ttl }) : undefined

  async function ask(host: string): Promise<readonly LookupAddress[]> {
    try {
      const found = await lookup(host)
      if (found.length > 0) known?.set(host, found)
      return found
    } finally {
      pending.delete(host)
    }
  }

  return {
    async lookup(host) {
      const addresses = known?.get(host)
      if (addresses !== undefined) return addresses
      const asked = pending.get(host) ?? ask(host)
      pending.set(host, asked)
      return await asked
    },
    forget: (host) => void known?.delete(host),
  }
}
