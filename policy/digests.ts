import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { encodeBase64url } from './base64url.ts'

/**
 * The two hashes of the token, as a port: the gateway passes faster ones made from its runtime's
 * crypto; holders, browsers and tests use the default.
 */
export interface Digests {
  /** HMAC-SHA256 (RFC 2104) of the message: 32 bytes. */
  hmac(key: Uint8Array, message: Uint8Array): Uint8Array
  /** SHA-256 (FIPS 180-4) of the message, in base64url without padding: 43 characters. */
  sha256Text(message: Uint8Array): string
}

/** Portable digests without any runtime of their own. */
export const nobleDigests: Digests = {
  hmac: (key, message) => hmac(sha256, key, message),
  sha256Text: (message) => encodeBase64url(sha256(message)),
}
