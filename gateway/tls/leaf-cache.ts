import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import type { SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'
import type { Authority } from './authority.ts'

/** TLS contexts by host, ready to serve. */
export interface LeafCache {
  /** The context for a canonical host. While one is being made, all callers wait for that one. */
  context(host: string): Promise<SecureContext>
}

// Far below a leaf's year, so that no context is served with a certificate that has run out.
const FRESH_MS = 7 * 86_400_000
const TICKET_KEY_BYTES = 48

/** Keeps the contexts of the `size` most recently used hosts. */
export function createLeafCache(options: {
  readonly authority: Authority
  readonly size: number
}): LeafCache {
  // Shared by all contexts, or a session ticket would be worth nothing once its context was dropped.
  const ticketKeys = randomBytes(TICKET_KEY_BYTES)
  const make = async (host: string): Promise<SecureContext> => {
    const { cert, key } = await options.authority.leaf(host)
    return createSecureContext({ cert, key, ticketKeys, minVersion: 'TLSv1.2' })
  }
  // One to a turn of the event loop: a crowd of new hosts, each some milliseconds of work, must not hold up the rest.
  let last: Promise<unknown> = Promise.resolve()
  const makeInTurn = (host: string): Promise<SecureContext> => {
    const made = last.then(() => nextTurn()).then(() => make(host))
    last = made.catch(() => {})
    return made
  }
  // Promises are what is cached: that is the single flight.
  const contexts = new LRUCache<string, Promise<SecureContext>>({
    max: options.size,
    ttl: FRESH_MS,
  })
  return {
    context(host) {
      const known = contexts.get(host)
      if (known) return known
      const made = makeInTurn(host)
      contexts.set(host, made)
      made.catch(() => {
        if (contexts.peek(host) === made) contexts.delete(host)
      })
      return made
    },
  }
}
