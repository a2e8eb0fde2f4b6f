import { hash } from 'node:crypto'
import type { Digests } from '../policy/index.ts'

const BLOCK = 64

/**
 * The token's hashes by node:crypto. HMAC (RFC 2104) is made of two one-shot hashes: `createHmac` was up to five
 * times slower on some builds of Node 24.
 */
export const nodeDigests: Digests = {
  sha256: (message) => hash('sha256', message, 'buffer'),
  hmac(key, message) {
    const short = key.length > BLOCK ? hash('sha256', key, 'buffer') : key
    const inner = Buffer.alloc(BLOCK + message.length, 0x36)
    const outer = Buffer.alloc(BLOCK + 32, 0x5c)
    for (let i = 0; i < short.length; i += 1) {
      const byte = short[i] as number
      inner[i] = byte ^ 0x36
      outer[i] = byte ^ 0x5c
    }
    inner.set(message, BLOCK)
    outer.set(hash('sha256', inner, 'buffer'), BLOCK)
    return hash('sha256', outer, 'buffer')
  },
}
