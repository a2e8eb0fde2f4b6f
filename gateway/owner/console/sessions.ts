import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { OwnerPorts } from '../ports.ts'

const LABEL = 'narrowgate console session v1'
const FORM = /^([A-Za-z0-9_-]{32})\.([A-Za-z0-9_-]{43})$/

/** So long may nothing be asked for, and so long does a session last at most: an hour, and a working day. */
const IDLE_MS = 3_600_000
const LONGEST_MS = 43_200_000
const MOST = 1000

/** A browser in which the owner is signed in. */
export interface ConsoleSession {
  readonly id: string
  /** Stands in each form that this browser is shown, and in no other. */
  readonly csrf: string
}

/**
 * Sessions of the console: `<id>.<HMAC-SHA256>` under a key that is derived from the owner key. Only those that were
 * begun in this process hold, so that one that has ended is ended for good, and a restart ends all of them.
 */
export interface ConsoleSessions {
  /** Begins one under a new id, whatever the browser had before. */
  begin(): string
  /** Undefined for what is none, was ended, or has run out; one that holds is good for another hour. */
  read(cookie: string): ConsoleSession | undefined
  end(cookie: string): void
}

export function createConsoleSessions({
  ownerKey,
  clock,
}: Pick<OwnerPorts, 'ownerKey' | 'clock'>): ConsoleSessions {
  const key = Buffer.from(hkdfSync('sha256', ownerKey.reveal(), '', LABEL, 32))
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  const open = new LRUCache<string, { readonly ends: number; idle: number }>({ max: MOST })
  const idOf = (cookie: string): string | undefined => {
    const [, id = '', signature = ''] = FORM.exec(cookie) ?? []
    if (id === '' || !sameText(signature, sign(`session ${id}`))) return undefined
    return id
  }
  return {
    begin() {
      const id = randomBytes(24).toString('base64url')
      const now = clock.now()
      open.set(id, { ends: now + LONGEST_MS, idle: now + IDLE_MS })
      return `${id}.${sign(`session ${id}`)}`
    },
    read(cookie) {
      const id = idOf(cookie)
      const known = id === undefined ? undefined : open.get(id)
      if (id === undefined || known === undefined) return undefined
      const now = clock.now()
      if (now >= known.ends || now >= known.idle) {
        open.delete(id)
        return undefined
      }
      known.idle = now + IDLE_MS
      return { id, csrf: sign(`form ${id}`) }
    },
    end(cookie) {
      const id = idOf(cookie)
      if (id !== undefined) open.delete(id)
    },
  }
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
