import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../adapters/clock/port.ts'
import type { Secret } from '../../adapters/keys/port.ts'

const LABEL = 'narrowgate person session v1'
const FORM = /^ns1\.([A-Za-z0-9_-]{1,512})\.([A-Za-z0-9_-]{43})$/

/** What helps where a session does not hold, or not any more. */
export const SIGN_IN_AGAIN = 'sign in again: ask the owner for a new session'

/** A session as its bearer gets it. It is a credential. */
export interface IssuedSession {
  readonly session: string
  /** Milliseconds since the epoch. */
  readonly expires: number
}

/** Whose session it is and until when, or why it is none. */
export type SessionRead =
  | { readonly ok: true; readonly person: string; readonly expires: number }
  | { readonly ok: false; readonly got: string }

/**
 * Sessions of persons: `ns1.<payload>.<HMAC-SHA256>`. They are kept nowhere: the key is derived from the owner key
 * (HKDF-SHA256, RFC 5869), so that every gateway with that key knows them, and a new owner key ends all of them.
 */
export interface Sessions {
  issue(person: string, seconds: number): IssuedSession
  /** Nothing of the payload is looked at before the HMAC matched. */
  read(session: string): SessionRead
}

export function createSessions(ownerKey: Secret, clock: Clock): Sessions {
  const key = Buffer.from(hkdfSync('sha256', ownerKey.reveal(), '', LABEL, 32))
  const sign = (payload: string) => createHmac('sha256', key).update(payload).digest('base64url')
  return {
    issue(person, seconds) {
      const expires = clock.now() + seconds * 1000
      const payload = Buffer.from(JSON.stringify({ person, expires })).toString('base64url')
      return { session: `ns1.${payload}.${sign(payload)}`, expires }
    },
    read(session) {
      const [, payload, signature] = FORM.exec(session) ?? []
      if (payload === undefined || signature === undefined)
        return { ok: false, got: 'something that is no session' }
      // As texts: one signature has one spelling.
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(payload))))
        return { ok: false, got: 'a session that this gateway did not issue' }
      const { person, expires } = JSON.parse(
        Buffer.from(payload, 'base64url').toString('utf8'),
      ) as { readonly person: string; readonly expires: number }
      if (clock.now() < expires) return { ok: true, person, expires }
      return { ok: false, got: `a session that expired at ${new Date(expires).toISOString()}` }
    },
  }
}
