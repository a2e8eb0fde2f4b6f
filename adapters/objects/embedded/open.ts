import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Bucket, GetOptions, ObjectWithBody, StoredObject } from '../bucket.ts'
import { blobPath } from '../folder.ts'
import type { Intake } from '../intake.ts'
import { checkCondition } from '../rules/condition.ts'
import { bucketFault, unavailable } from '../rules/fault.ts'
import { checkDelete, checkKey, checkList, checkPut } from '../rules/limits.ts'
import { checkRange } from '../rules/range.ts'
import type { Found, ObjectFiles } from './protocol.ts'
import { createObjectThread, type ObjectThread } from './thread.ts'

/** How often a file is looked for that its row named a moment ago. */
const TRIES = 3

/** All embedded buckets of a state folder. */
export interface EmbeddedBuckets {
  /** The bucket of this name; it needs no making, and closing it closes nothing. */
  bucket(name: string): Bucket
  close(): Promise<void>
}

export interface EmbeddedOptions extends ObjectFiles {
  readonly intake: Intake
}

/**
 * Opens objects in an SQLite file, larger bodies in files beside it: the same bytes once, over all keys and buckets.
 * Rejects where the file cannot be opened, or was made by a newer version.
 */
export async function openEmbeddedBuckets(options: EmbeddedOptions): Promise<EmbeddedBuckets> {
  const { file, folder, intake } = options
  const thread = createObjectThread({ file, folder })
  try {
    // The answer tells that the file could be opened.
    await thread.call<'head'>({ name: 'head', bucket: '', key: '' })
  } catch (error) {
    await thread.end()
    throw error
  }
  return {
    bucket: (name) => createBucket(name, { thread, folder, intake }),
    async close() {
      await thread.call<'close'>({ name: 'close' }).catch(() => undefined)
      await thread.end()
    },
  }
}

interface Parts {
  readonly thread: ObjectThread
  readonly folder: string
  readonly intake: Intake
}

function createBucket(bucket: string, { thread, folder, intake }: Parts): Bucket {
  return {
    async head(key) {
      checkKey(key)
      return thread.call<'head'>({ name: 'head', bucket, key })
    },
    async get(key, options = {}) {
      checkKey(key)
      checkCondition(options.onlyIf)
      checkRange(options.range)
      return getObject({ bucket, key, options }, thread, folder)
    },
    async put(key, value, options = {}) {
      checkPut(key, options)
      const { httpMetadata = {}, customMetadata = {}, checksums: announced, onlyIf } = options
      const taken = await intake.take(value, announced)
      try {
        const { size, checksums, place } = taken
        const facts = {
          key,
          version: randomBytes(16).toString('hex'),
          size,
          etag: checksums.md5,
          uploaded: Date.now(),
          checksums,
          httpMetadata,
          customMetadata,
        }
        return await thread.call<'put'>({ name: 'put', bucket, facts, place, onlyIf })
      } finally {
        await taken.discard()
      }
    },
    async delete(keys) {
      const list = checkDelete(keys)
      await thread.call<'delete'>({ name: 'delete', bucket, keys: list })
    },
    async list(options = {}) {
      checkList(options)
      return thread.call<'list'>({ name: 'list', bucket, options })
    },
    close: async () => {},
  }
}

interface Asked {
  readonly bucket: string
  readonly key: string
  readonly options: GetOptions
}

/** A file that is gone was removed after its row: then the row is asked for again. */
async function getObject(
  asked: Asked,
  thread: ObjectThread,
  folder: string,
): Promise<StoredObject | ObjectWithBody | null> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await thread.call<'get'>({ name: 'get', ...asked })
    if (found === null) return null
    if (found.content === undefined) return found.object
    const body = await bodyOf(found.content, folder)
    if (body !== undefined) return { ...found.object, body }
  }
  throw bucketFault('InternalError', `objects ${folder}: the bytes of an object are missing`)
}

async function bodyOf(
  { place, range }: NonNullable<Found['content']>,
  folder: string,
): Promise<Readable | undefined> {
  if ('bytes' in place) return readableOf(place.bytes)
  try {
    const handle = await open(blobPath(folder, place.blob), 'r')
    if (range === undefined) return handle.createReadStream()
    const { offset, length } = range
    return handle.createReadStream({ start: offset, end: offset + length - 1 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return unavailable(`objects ${folder}`)(error)
  }
}

function readableOf(bytes: Uint8Array): Readable {
  const { buffer, byteOffset, byteLength } = bytes
  return Readable.from(byteLength === 0 ? [] : [Buffer.from(buffer, byteOffset, byteLength)])
}
