import { Buffer } from 'node:buffer'
import type { ChecksumsOf, HttpMetadata, ListOptions, PutOptions } from '../bucket.ts'
import { checkCondition } from './condition.ts'
import { bucketFault } from './fault.ts'

/** Bytes of a key, in UTF-8. */
const MAX_KEY_BYTES = 1024
/** Bytes of the names and values of custom metadata together; and of those of HTTP metadata. */
const MAX_METADATA_BYTES = 8192
/** Keys of one delete. */
const MAX_DELETED_KEYS = 1000
/** Entries of one listing: objects and prefixes. */
export const MAX_LISTED = 1000
/** An object of at most this size lies in the row itself, and may come with a listing. */
export const INLINE_BYTES = 256 * 1024
/** Bytes of bodies that come with one listing, from its start over all its cursors. */
export const LISTED_BODY_BYTES = 16 * 1024 ** 2
/** Bytes of an object that is written in one go; as R2 has it. */
export const MAX_OBJECT_BYTES = 5 * 1024 ** 3 - 5 * 1024 ** 2

const DIGEST_CHARACTERS = { md5: 32, sha1: 40, sha256: 64, sha384: 96, sha512: 128 } as const
const HTTP_TEXTS = [
  'contentType',
  'contentLanguage',
  'contentDisposition',
  'contentEncoding',
  'cacheControl',
] as const
const CONTROL = /[\x00-\x1f\x7f]/
/** NUL, or half a character: what no store can keep as text. */
const NO_TEXT = /\0|\p{Surrogate}/u

/** A key as its bytes, by whose order keys are listed. */
export function keyBytes(key: string): Buffer {
  return Buffer.from(key, 'utf8')
}

/** @throws BucketError InvalidObjectName */
export function checkKey(key: string): void {
  if (key === '') throw bucketFault('InvalidObjectName', 'key: it is empty; name the object')
  if (NO_TEXT.test(key))
    throw bucketFault(
      'InvalidObjectName',
      'key: it holds NUL or half a character; write whole UTF-8',
    )
  if (Buffer.byteLength(key) > MAX_KEY_BYTES)
    throw bucketFault(
      'InvalidObjectName',
      `key: it has more than ${MAX_KEY_BYTES} bytes; shorten it`,
    )
}

/** @throws BucketError InvalidArgument, and for each key what `checkKey` throws */
export function checkDelete(keys: string | readonly string[]): readonly string[] {
  const list = typeof keys === 'string' ? [keys] : keys
  if (list.length > MAX_DELETED_KEYS)
    throw bucketFault(
      'InvalidArgument',
      `keys: got ${list.length}; give at most ${MAX_DELETED_KEYS}`,
    )
  for (const key of list) checkKey(key)
  return list
}

/** @throws BucketError MetadataTooLarge, InvalidArgument, and what `checkKey` throws */
export function checkPut(key: string, options: PutOptions): void {
  checkKey(key)
  checkCondition(options.onlyIf)
  checkMetadata(options.customMetadata ?? {})
  checkHttp(options.httpMetadata ?? {})
  checkDigests(options.checksums ?? {})
}

function checkMetadata(custom: Readonly<Record<string, string>>): void {
  const entries = Object.entries(custom)
  checkSize('customMetadata', entries.flat())
  for (const [name, value] of entries) {
    if (name !== '' && !NO_TEXT.test(name) && !NO_TEXT.test(value)) continue
    const repair = 'write names and values as whole UTF-8 without NUL'
    throw bucketFault('InvalidArgument', `customMetadata.${JSON.stringify(name)}: ${repair}`)
  }
}

function checkHttp(http: HttpMetadata): void {
  const given = HTTP_TEXTS.flatMap((name) => http[name] ?? [])
  checkSize('httpMetadata', given)
  if (given.some((text) => CONTROL.test(text) || NO_TEXT.test(text)))
    throw bucketFault('InvalidArgument', 'httpMetadata: it holds a control character; take it out')
  if (http.cacheExpiry !== undefined && !Number.isSafeInteger(http.cacheExpiry))
    throw bucketFault('InvalidArgument', 'httpMetadata.cacheExpiry: give whole milliseconds')
}

function checkSize(what: string, texts: readonly string[]): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes > MAX_METADATA_BYTES)
    throw bucketFault(
      'MetadataTooLarge',
      `${what}: got ${bytes} bytes; send at most ${MAX_METADATA_BYTES}`,
    )
}

function checkDigests(checksums: ChecksumsOf<string>): void {
  const given = Object.entries(checksums).filter(([, digest]) => digest !== undefined)
  if (given.length > 1)
    throw bucketFault('InvalidArgument', `checksums: got ${given.length}; give at most one`)
  for (const [name, digest] of given) {
    const characters = (DIGEST_CHARACTERS as Readonly<Record<string, number>>)[name]
    if (characters !== undefined && digest.length === characters && /^[0-9a-f]+$/.test(digest))
      continue
    throw bucketFault('InvalidArgument', `checksums.${name}: write lower-case hex of its length`)
  }
}

/** @throws BucketError InvalidMaxKeys, InvalidArgument */
export function checkList({ limit, include = [] }: ListOptions): void {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LISTED))
    throw bucketFault('InvalidMaxKeys', `limit: got \`${limit}\`; give 1 to ${MAX_LISTED}`)
  const known = ['httpMetadata', 'customMetadata', 'body']
  const unknown = include.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw bucketFault('InvalidArgument', `include: got \`${unknown}\`; use ${known.join(', ')}`)
}
