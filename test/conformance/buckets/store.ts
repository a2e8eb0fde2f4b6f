import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Test } from 'tap'
import type { Bucket, ObjectWithBody, StoredObject } from '../../../adapters/objects/bucket.ts'

/** Opens one and the same new bucket each time it is called; what was opened ends with the test. */
export type OpenBucket = () => Promise<Bucket>

/** Registers a test that gets a bucket of its own. */
export type On = (name: string, body: (t: Test, open: OpenBucket) => Promise<void>) => unknown

export const digest = (algorithm: string, bytes: Uint8Array) =>
  createHash(algorithm).update(bytes).digest('hex')

export async function bytesOf(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

export function hasBody(object: StoredObject | null): object is ObjectWithBody {
  return object !== null && 'body' in object
}

/** The whole object as text; undefined where there is none. */
export async function textOf(bucket: Bucket, key: string): Promise<string | undefined> {
  const object = await bucket.get(key)
  return hasBody(object) ? (await bytesOf(object.body)).toString() : undefined
}

/** The object without its body, which is read to its end. */
export async function withoutBody(object: StoredObject | null): Promise<StoredObject | null> {
  if (!hasBody(object)) return object
  const { body, ...rest } = object
  await bytesOf(body)
  return rest
}

/** Bytes of which no two pieces are the same; always the same ones for one seed. */
export function bytesOfLength(length: number, seed = 'a'): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < length; at += 64)
    pieces.push(createHash('sha512').update(`${seed} ${at}`).digest())
  return Buffer.concat(pieces).subarray(0, length)
}
