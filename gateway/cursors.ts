import { timingSafeEqual } from 'node:crypto'
import type { Cursors } from '../catalog/index.ts'
import { nodeDigests } from './digests.ts'

const MAC_BYTES = 16

/** Cursors that only this gateway can make: the text and a MAC of it, base64url. */
export function createCursors(secret: string): Cursors {
  const key = nodeDigests.hmac(Buffer.from(secret), Buffer.from('narrowgate page cursors'))
  const macOf = (text: Buffer) => Buffer.from(nodeDigests.hmac(key, text)).subarray(0, MAC_BYTES)
  return {
    sign(text) {
      const bytes = Buffer.from(text)
      return Buffer.concat([macOf(bytes), bytes]).toString('base64url')
    },
    check(cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const text = bytes.subarray(MAC_BYTES)
      if (bytes.length <= MAC_BYTES || !timingSafeEqual(macOf(text), bytes.subarray(0, MAC_BYTES)))
        return undefined
      return text.toString()
    },
  }
}
