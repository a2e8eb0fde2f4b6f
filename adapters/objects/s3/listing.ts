import { ListObjectsV2Command, type ListObjectsV2CommandOutput } from '@aws-sdk/client-s3'
import { Buffer } from 'node:buffer'
import type { ListedObject, ListOptions, ObjectListing } from '../bucket.ts'
import { readCursor, writeCursor } from '../rules/cursor.ts'
import { INLINE_BYTES, LISTED_BODY_BYTES, MAX_LISTED } from '../rules/limits.ts'
import { objectOf } from '../rules/object.ts'
import { shownOf } from '../rules/shown.ts'
import { within } from './client.ts'
import { bareEtag, secondsOf } from './facts.ts'
import { isChanged } from './fault.ts'
import { fetchObject, headObject, type S3Bucket } from './reading.ts'

/** Objects that are looked at at one time, where a listing needs more than S3 tells in it. */
const AT_ONCE = 8

type Content = NonNullable<ListObjectsV2CommandOutput['Contents']>[number]

/** S3 lists neither metadata nor bytes: where they are wanted, each object is asked for them. */
export async function listObjects(place: S3Bucket, options: ListOptions): Promise<ObjectListing> {
  const { include = [], cursor } = options
  const resumed = cursor === undefined ? undefined : readCursor(cursor)
  const page = await listPage(place, options, resumed?.at.toString('utf8'))
  const listed = (page.Contents ?? []).map(listedOf)
  let given = resumed?.given ?? 0
  const bodied = new Set<ListedObject>()
  for (const object of include.includes('body') ? listed : []) {
    if (object.size > INLINE_BYTES || given + object.size > LISTED_BODY_BYTES) continue
    given += object.size
    bodied.add(object)
  }
  const wantsHead = include.some((name) => name !== 'body')
  const objects = await mapSome(listed, async (object) => {
    const whole = wantsHead ? shownOf(await headOf(place, object), include) : object
    return bodied.has(object) ? withBytes(place, whole) : whole
  })
  const next = page.NextContinuationToken
  return {
    objects,
    delimitedPrefixes: (page.CommonPrefixes ?? []).map(({ Prefix = '' }) => decoded(Prefix)),
    truncated: next !== undefined,
    ...(next === undefined ? {} : { cursor: writeCursor(Buffer.from(next), given) }),
  }
}

function listPage(
  { client, bucket }: S3Bucket,
  { prefix, delimiter, startAfter, limit = MAX_LISTED }: ListOptions,
  token: string | undefined,
): Promise<ListObjectsV2CommandOutput> {
  const command = new ListObjectsV2Command({
    Bucket: bucket,
    MaxKeys: limit,
    // Not every key can stand in XML.
    EncodingType: 'url',
    ...(prefix ? { Prefix: prefix } : {}),
    ...(delimiter ? { Delimiter: delimiter } : {}),
    ...(startAfter ? { StartAfter: startAfter } : {}),
    ...(token === undefined ? {} : { ContinuationToken: token }),
  })
  return within((abortSignal) => client.send(command, { abortSignal }))
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

function listedOf({ Key = '', Size = 0, ETag, LastModified }: Content): ListedObject {
  const etag = bareEtag(ETag)
  return objectOf({
    key: decoded(Key),
    version: etag,
    size: Size,
    etag,
    uploaded: secondsOf(LastModified),
    checksums: {},
    httpMetadata: {},
    customMetadata: {},
  })
}

/** What was deleted or replaced since the page was made stays as the page has it. */
async function headOf(place: S3Bucket, object: ListedObject): Promise<ListedObject> {
  const headed = await headObject(place, object.key)
  return headed?.object.etag === object.etag ? headed.object : object
}

async function withBytes(place: S3Bucket, object: ListedObject): Promise<ListedObject> {
  const found = await fetchObject(place, object.key, { ifMatch: object.httpEtag }).catch(
    (error) => {
      if (isChanged(error)) return undefined
      throw error
    },
  )
  if (found === undefined) return object
  const pieces: Buffer[] = []
  for await (const piece of found.body) pieces.push(piece as Buffer)
  return { ...object, bytes: Buffer.concat(pieces) }
}

/** Like `map`, some at a time. */
export async function mapSome<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const done: R[] = []
  const entries = items.entries()
  const worker = async () => {
    for (const [at, item] of entries) done[at] = await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return done
}
