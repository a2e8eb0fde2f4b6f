import { timingSafeEqual } from 'node:crypto'
import type { Secret } from '../adapters/keys/port.ts'
import type { Cursors } from '../catalog/index.ts'
import { nodeDigests } from './digests.ts'

const MAC_BYTES = 16
const LABEL = Buffer.from('narrowgate page cursors')

/**
 * Cursors that only gateways with these build keys can make: a MAC of the text and the text, base64url. The first key
 * signs; a cursor of any of them holds, as tokens do.
 */
export function createCursors(keys: () => readonly [Secret, ...Secret[]]): Cursors {
  return {
    sign(text) {
      const bytes = Buffer.from(text)
      return Buffer.concat([macOf(bytes, keys()[0]), bytes]).toString('base64url')
    },
    check(cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= MAC_BYTES) return undefined
      const [mac, text] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
      return keys().some((key) => timingSafeEqual(macOf(text, key), mac))
        ? text.toString()
        : undefined
    },
  }
}

function macOf(text: Buffer, key: Secret): Buffer {
  const own = nodeDigests.hmac(Buffer.from(key.reveal()), LABEL)
  return Buffer.from(nodeDigests.hmac(own, text)).subarray(0, MAC_BYTES)
}
