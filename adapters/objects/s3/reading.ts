import type { Readable } from 'node:stream'
import {
  GetObjectCommand,
  HeadObjectCommand,
  type GetObjectCommandOutput,
  type HeadObjectCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { GetOptions, ObjectRange, ObjectWithBody, StoredObject } from '../bucket.ts'
import { holds } from '../rules/condition.ts'
import { bucketFault } from '../rules/fault.ts'
import { rangeOf } from '../rules/range.ts'
import { within } from './client.ts'
import { objectOfHead } from './facts.ts'
import { isChanged, isNone, isNoRange } from './fault.ts'

/** How often a state that changes underway is looked at anew. */
const TRIES = 4

/** One bucket of an S3. */
export interface S3Bucket {
  readonly client: S3Client
  readonly bucket: string
}

export interface Headed {
  readonly head: HeadObjectCommandOutput
  readonly object: StoredObject
}

export async function headObject(
  { client, bucket }: S3Bucket,
  key: string,
): Promise<Headed | undefined> {
  try {
    const head = await within((abortSignal) =>
      client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), { abortSignal }),
    )
    return { head, object: objectOfHead(key, head, head.ContentLength ?? 0) }
  } catch (error) {
    if (isNone(error)) return undefined
    throw error
  }
}

/** A condition is judged here, and the bytes are then asked for of the very state that was judged. */
export async function getObject(
  place: S3Bucket,
  key: string,
  { onlyIf, range }: GetOptions,
): Promise<StoredObject | ObjectWithBody | null> {
  if (onlyIf === undefined && !isEmpty(range))
    return (await fetchObject(place, key, { range })) ?? null
  for (let tries = 0; tries < TRIES; tries += 1) {
    const headed = await headObject(place, key)
    if (headed === undefined) return null
    if (!holds(onlyIf, headed.object)) return headed.object
    if (range !== undefined) rangeOf(range, headed.object.size)
    const ifMatch = headed.object.httpEtag
    const found = await fetchObject(place, key, { range, ifMatch }).catch(goneIfChanged)
    if (found !== undefined) return found
  }
  throw bucketFault('InternalError', 'object: it changes all the while; try again')
}

/** HTTP has no way to ask for no byte. */
function isEmpty(range: ObjectRange | undefined): boolean {
  const { length, suffix } = (range ?? {}) as { readonly length?: number; readonly suffix?: number }
  return length === 0 || suffix === 0
}

function goneIfChanged(error: unknown): undefined {
  if (!isChanged(error)) throw error
}

/** Undefined where there is no object. Throws where `ifMatch` does not hold. */
export async function fetchObject(
  { client, bucket }: S3Bucket,
  key: string,
  { range, ifMatch }: { readonly range?: ObjectRange | undefined; readonly ifMatch?: string },
): Promise<ObjectWithBody | undefined> {
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ...(range === undefined ? {} : { Range: rangeField(range) }),
    ...(ifMatch === undefined ? {} : { IfMatch: ifMatch }),
  })
  try {
    const answer = await within((abortSignal) => client.send(command, { abortSignal }))
    return withBody(key, answer, range !== undefined)
  } catch (error) {
    if (isNone(error)) return undefined
    if (isNoRange(error))
      throw bucketFault('InvalidRange', 'range: no byte of the object lies in it', { cause: error })
    throw error
  }
}

function rangeField(range: ObjectRange): string {
  if ('suffix' in range) return `bytes=-${range.suffix}`
  const { offset = 0, length } = range
  return length === undefined ? `bytes=${offset}-` : `bytes=${offset}-${offset + length - 1}`
}

function withBody(key: string, answer: GetObjectCommandOutput, ranged: boolean): ObjectWithBody {
  const body = answer.Body as Readable
  const length = answer.ContentLength ?? 0
  const [, from = '0', whole = `${length}`] =
    /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.ContentRange ?? '') ?? []
  const object = objectOfHead(key, answer, Number(whole))
  return ranged ? { ...object, range: { offset: Number(from), length }, body } : { ...object, body }
}
