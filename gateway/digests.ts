import { hash } from 'node:crypto'
import type { Digests } from '../policy/index.ts'

const BLOCK = 64
const MAX_KEPT = 8192

// Made once: nothing waits between filling and hashing them, and what they held is filled over.
const keptInner = Buffer.alloc(BLOCK + MAX_KEPT)
const outer = Buffer.alloc(BLOCK + 32)

/**
 * The token's hashes by node:crypto. HMAC (RFC 2104) is made of two one-shot hashes: `createHmac` was up to five
 * times slower on some builds of Node 24.
 */
export const nodeDigests: Digests = {
  sha256: (message) => Buffer.from(sha256Text(message), 'latin1'),
  hmac(key, message) {
    const short = key.length > BLOCK ? nodeDigests.sha256(key) : key
    const inner = message.length > MAX_KEPT ? Buffer.alloc(BLOCK + message.length) : keptInner
    for (let i = 0; i < BLOCK; i += 1) {
      const byte = short[i] ?? 0
      inner[i] = byte ^ 0x36
      outer[i] = byte ^ 0x5c
    }
    inner.set(message, BLOCK)
    outer.write(sha256Text(inner.subarray(0, BLOCK + message.length)), BLOCK, 'latin1')
    return nodeDigests.sha256(outer)
  },
}

/** The digest, one character a byte: making a buffer of it in the call takes twice as long. */
function sha256Text(message: Uint8Array): string {
  return hash('sha256', message, 'binary')
}
