import { hash } from 'node:crypto'

/** Bytes of a hash. */
export const HASH_BYTES = 32

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

/** The root of a tree without leaves: the hash of nothing (RFC 6962, 2.1). */
export const EMPTY_ROOT = hash('sha256', Buffer.alloc(0), 'buffer')

/** The hash of a leaf: SHA-256 over 0x00 and its bytes (RFC 6962, 2.1). */
export function leafHash(bytes: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([LEAF, bytes]), 'buffer')
}

/** The hash of an inner node: SHA-256 over 0x01 and its two children. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([NODE, left, right]), 'buffer')
}
