import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Secret } from '../keys/port.ts'

const CIPHER = 'aes-256-gcm'
/** NIST SP 800-38D, 8.2.2: random nonces of 96 bits. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const LABEL = 'narrowgate person keys v1'

/** Seals texts with AES-256-GCM under a key that is derived from a secret (HKDF-SHA256, RFC 5869). */
export interface Seal {
  /** Nonce, ciphertext and tag. `bound` is not in it, and the same must be given to open it. */
  close(text: string, bound: readonly string[]): Buffer
  /** Throws where the key is another, or a bit of the sealed bytes or of `bound` was changed. */
  open(sealed: Buffer, bound: readonly string[]): string
}

export function createSeal(secret: Secret): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret.reveal(), '', LABEL, 32))
  // JSON parts the texts beyond doubt, whatever stands in them.
  const dataOf = (bound: readonly string[]) => Buffer.from(JSON.stringify(bound))
  return {
    close(text, bound) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(dataOf(bound))
      return Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    open(sealed, bound) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(-TAG_BYTES)
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(dataOf(bound)).setAuthTag(tag)
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    },
  }
}
