import type { Origin } from '../../adapters/upstream/port.ts'
import { canonicalPath } from '../../catalog/index.ts'
import { refusal, type Refusal } from '../refusal.ts'

/** Where the store is served, at the owner's address and at the holders'. */
export const STORE_PATH = '/api/store'

/** Stands for the gateway itself where a call needs an origin; no name server knows it (RFC 6761). */
export const STORE_ORIGIN: Origin = { scheme: 'http', host: 'narrowgate.invalid', port: 80 }

/** What of the store a path names. */
export interface StoreAddress {
  readonly bucket: string
  /** Undefined: the bucket itself. */
  readonly key: string | undefined
  /** The raw query, or empty. */
  readonly query: string
}

/** Whether the request target is one of the store's. */
export function isOfStore(target: string): boolean {
  return target.startsWith(`${STORE_PATH}/`)
}

/**
 * Reads a path of the store, as it was sent. A key is a plain path: what would mean another one to somebody who resolves
 * it is no key here, so that what an area covers is what is stored.
 * @throws Refusal
 */
export function storeAddress(target: string): StoreAddress {
  const path = canonicalPath(target)
  if (!path.ok) throw badKey(path.reason)
  const [, , bucket = '', ...parts] = path.segments
  // Behind a bucket a slash may stand: it is still the bucket.
  const key = parts.join('/')
  if (bucket === '') throw badKey('the path names no bucket')
  if (key === '') return { bucket, key: undefined, query: path.query ?? '' }
  if (/\/\//.test(key) || key.startsWith('/')) throw badKey('the key has an empty segment')
  return { bucket, key, query: path.query ?? '' }
}

function badKey(got: string): Refusal {
  const repair = `write ${STORE_PATH}/<bucket>/<key>, the key as a plain path`
  return refusal('malformed_request', 'path', { got, repair })
}
