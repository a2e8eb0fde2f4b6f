import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { TokenSlot } from '../config/types.ts'
import { valuesOf } from './fields.ts'

const SCHEME = /^(basic|bearer) +(\S+) *$/i
const TOKEN_START = 'g1.'

/** The candidate token that a client of the proxy sent: `Proxy-Authorization`, Basic or Bearer. */
export function proxyCredential(headers: RawHeaders): string | undefined {
  return fromAuthorization(headers, 'proxy-authorization')
}

/** A candidate token, and the header that it was in where that is the client's own for its API key. */
export interface MountCredential {
  readonly credential: string | undefined
  readonly slot: TokenSlot
}

const SLOTS: readonly TokenSlot[] = ['authorization', 'x-api-key', 'api-key']

/**
 * The candidate token that a client of a mount sent in place of its API key: in the mount's slot, else, where it is
 * a g1 token for certain, in one of the other headers that SDKs use (versions of one SDK differ), else as a proxy's
 * client would.
 */
export function mountCredential(headers: RawHeaders, slot: TokenSlot): MountCredential {
  const named = inSlot(headers, slot)
  if (named !== undefined) return { credential: named, slot }
  for (const other of SLOTS) {
    const found = inSlot(headers, other)
    if (found?.startsWith(TOKEN_START)) return { credential: found, slot: other }
  }
  return { credential: proxyCredential(headers), slot }
}

/**
 * The candidate token among the subprotocols that a WebSocket's client offers: a script of a browser can send no other field.
 */
export function protocolCredential(headers: RawHeaders): string | undefined {
  const offered = valuesOf(headers, 'sec-websocket-protocol').flatMap((value) => value.split(','))
  return only(offered.map((name) => name.trim()).filter((name) => name.startsWith(TOKEN_START)))
}

function inSlot(headers: RawHeaders, slot: TokenSlot): string | undefined {
  return slot === 'authorization' ? fromAuthorization(headers, slot) : only(valuesOf(headers, slot))
}

function fromAuthorization(headers: RawHeaders, field: string): string | undefined {
  const [, scheme, credentials] = SCHEME.exec(only(valuesOf(headers, field)) ?? '') ?? []
  if (scheme === undefined || credentials === undefined) return undefined
  return scheme.toLowerCase() === 'bearer' ? credentials : fromUserInfo(credentials)
}

/** Either half of `user:password` may be the token: `agent:g1.…`, `g1.…:` and `:g1.…` are all in use. */
function fromUserInfo(base64: string): string | undefined {
  const text = Buffer.from(base64, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const user = colon < 0 ? text : text.slice(0, colon)
  const password = colon < 0 ? '' : text.slice(colon + 1)
  if (user.startsWith(TOKEN_START)) return user
  return password || user || undefined
}

/** Two credentials are none: which one was meant would be a guess. */
function only(values: readonly string[]): string | undefined {
  return values.length === 1 ? values[0] || undefined : undefined
}
