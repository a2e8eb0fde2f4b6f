import { hash } from 'node:crypto'
import type { Digests } from '../policy/index.ts'

const BLOCK = 64
const DIGEST = 32
const MAX_KEPT = 8192

// Made once: nothing waits between filling and hashing them, and what they held is filled over.
const keptInner = new Uint8Array(BLOCK + MAX_KEPT)
const outer = new Uint8Array(BLOCK + DIGEST)

/**
 * The token's hashes by node:crypto. HMAC (RFC 2104) is made of two one-shot hashes: `createHmac` was up to five
 * times slower on some builds of Node 24.
 */
export const nodeDigests: Digests = {
  sha256Text: (message) => hash('sha256', message, 'base64url'),
  hmac(key, message) {
    const short = key.length > BLOCK ? sha256(key) : key
    const { length } = message
    const inner = length > MAX_KEPT ? new Uint8Array(BLOCK + length) : keptInner
    inner.fill(0x36, short.length, BLOCK)
    outer.fill(0x5c, short.length, BLOCK)
    for (let at = 0; at < short.length; at++) {
      inner[at] = short[at]! ^ 0x36
      outer[at] = short[at]! ^ 0x5c
    }
    inner.set(message, BLOCK)
    sha256(inner.subarray(0, BLOCK + length), outer, BLOCK)
    return sha256(outer)
  },
}

/** Puts the digest of the message into bytes; as text of one character a byte it is had in half the time. */
function sha256(message: Uint8Array, into = new Uint8Array(DIGEST), from = 0): Uint8Array {
  const text = hash('sha256', message, 'binary')
  for (let at = 0; at < DIGEST; at++) into[from + at] = text.charCodeAt(at)
  return into
}
