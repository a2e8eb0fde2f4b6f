import type { Readable } from 'node:stream'
import type {
  Bucket,
  GetOptions,
  ObjectWithBody,
  StoredObject,
} from '../../adapters/objects/port.ts'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { refusal } from '../refusal.ts'
import { getAllHeaders } from '../wire/headers.ts'
import { storeAddress } from './address.ts'
import { readConditions, statusUnder, type HeaderOf } from './conditions.ts'
import {
  asRefusal,
  bucketUnknown,
  isBucketError,
  objectUnknown,
  otherState,
  refusedAnswer,
  type StoreAnswer,
} from './faults.ts'
import { fieldsOf, readFields } from './fields.ts'
import { listBucket } from './list.ts'
import { isStillThat, readRange } from './range.ts'

/** A request for the store, from whichever door. */
export interface StoreRequest {
  readonly method: string
  /** Path and query as they came. */
  readonly target: string
  readonly headers: RawHeaders
  readonly body: Readable | null
}

type Found = StoredObject | ObjectWithBody | null

export type Buckets = ReadonlyMap<string, Bucket>

/** Methods of an object, and of a bucket. */
const OBJECT_METHODS = ['GET', 'HEAD', 'PUT', 'DELETE'] as const
const BUCKET_METHODS = ['GET', 'HEAD'] as const

/**
 * Serves one request from the buckets: what is there, as HTTP has it.
 * @throws Refusal for all that is no success, and what no bucket should throw
 */
export async function serveStore(buckets: Buckets, request: StoreRequest): Promise<StoreAnswer> {
  const { bucket: name, key, query } = storeAddress(request.target)
  const bucket = buckets.get(name)
  if (bucket === undefined) throw bucketUnknown(name)
  try {
    if (key === undefined) return await serveBucket(bucket, query, request)
    if (query !== '')
      throw refusal('unknown_field', 'query', { got: 'a query', repair: 'leave it out' })
    return await serveObject(bucket, key, request)
  } catch (error) {
    throw asRefusal(error)
  }
}

async function serveBucket(
  bucket: Bucket,
  query: string,
  { method }: StoreRequest,
): Promise<StoreAnswer> {
  if (method !== 'GET' && method !== 'HEAD') return notTaken(method, BUCKET_METHODS)
  return json(await listBucket(bucket, query), method)
}

async function serveObject(
  bucket: Bucket,
  key: string,
  request: StoreRequest,
): Promise<StoreAnswer> {
  switch (request.method) {
    case 'GET':
      return getObject(bucket, key, request)
    case 'HEAD':
      return headObject(bucket, key, request)
    case 'PUT':
      return putObject(bucket, key, request)
    case 'DELETE':
      return deleteObject(bucket, key, request)
    default:
      return notTaken(request.method, OBJECT_METHODS)
  }
}

function notTaken(method: string, taken: readonly string[]): StoreAnswer {
  const got = `\`${method.slice(0, 32)}\``
  const methods = taken.join(', ')
  const refused = refusal('method_not_allowed', 'method', { got, repair: `use ${methods}` })
  return refusedAnswer(refused, ['allow', methods])
}

function headerOf({ headers }: StoreRequest): HeaderOf {
  return (name) => {
    const values = getAllHeaders(headers, name)
    return values.length === 0 ? undefined : values.join(', ')
  }
}

async function getObject(bucket: Bucket, key: string, request: StoreRequest): Promise<StoreAnswer> {
  const header = headerOf(request)
  const onlyIf = readConditions(header)
  const range = readRange(header)
  const ask = (part: Pick<GetOptions, 'range'>) =>
    bucket.get(key, { ...part, ...(onlyIf === undefined ? {} : { onlyIf }) })
  let found: Found
  try {
    found = await ask(range === undefined ? {} : { range })
  } catch (error) {
    return await noRange(error, bucket, key)
  }
  // The part does not fit what the asker has: then it gets the whole.
  if (range !== undefined && hasBody(found) && !isStillThat(header, found)) {
    found.body.destroy()
    found = await ask({})
  }
  if (found === null) throw objectUnknown()
  if (!hasBody(found)) return withoutBody(found, statusUnder(onlyIf ?? {}, found))
  const { offset, length } = found.range ?? { offset: 0, length: found.size }
  const headers = [...fieldsOf(found), 'content-length', `${length}`]
  if (found.range === undefined) return { status: 200, headers, body: found.body }
  headers.push('content-range', `bytes ${offset}-${offset + length - 1}/${found.size}`)
  return { status: 206, headers, body: found.body }
}

/** A range that cannot be is answered with how long the object is (RFC 9110, 15.5.17). */
async function noRange(error: unknown, bucket: Bucket, key: string): Promise<StoreAnswer> {
  if (!isBucketError(error) || error.code !== 'InvalidRange') throw error
  const size = (await bucket.head(key))?.size ?? 0
  const got = `a range without a byte of the object’s ${size}`
  const refused = refusal('range_unsatisfiable', 'range', {
    got,
    repair: 'ask for bytes that it has',
  })
  return refusedAnswer(refused, ['content-range', `bytes */${size}`])
}

async function headObject(
  bucket: Bucket,
  key: string,
  request: StoreRequest,
): Promise<StoreAnswer> {
  const onlyIf = readConditions(headerOf(request)) ?? {}
  const object = await bucket.head(key)
  if (object === null) throw objectUnknown()
  return withoutBody(object, statusUnder(onlyIf, object))
}

function withoutBody(object: StoredObject, status: 200 | 304 | 412): StoreAnswer {
  if (status === 412) throw otherState()
  const length = status === 200 ? ['content-length', `${object.size}`] : []
  return { status, headers: [...fieldsOf(object), ...length], body: null }
}

async function putObject(bucket: Bucket, key: string, request: StoreRequest): Promise<StoreAnswer> {
  const header = headerOf(request)
  const onlyIf = readConditions(header)
  const options = {
    ...readFields(request.headers, header),
    ...(onlyIf === undefined ? {} : { onlyIf }),
  }
  const stored = await bucket.put(key, request.body ?? '', options)
  if (stored === null) throw otherState()
  const { etag, httpEtag, size, version, uploaded, checksums } = stored
  const { status, headers, body } = json(
    { key, size, etag, version, uploaded: new Date(uploaded).toISOString(), checksums },
    'PUT',
  )
  return { status, headers: ['etag', httpEtag, ...headers], body }
}

async function deleteObject(
  bucket: Bucket,
  key: string,
  request: StoreRequest,
): Promise<StoreAnswer> {
  // It could be deleted in another state than the one that was judged.
  if (readConditions(headerOf(request)) !== undefined)
    throw refusal('not_supported', 'conditions', {
      got: 'conditions on a delete',
      repair: 'leave them out, or replace the object under its etag',
    })
  await bucket.delete(key)
  return { status: 204, headers: [], body: null }
}

function hasBody(found: Found): found is ObjectWithBody {
  return found !== null && 'body' in found
}

function json(value: object, method: string): StoreAnswer {
  const bytes = Buffer.from(JSON.stringify(value))
  const headers = ['content-type', 'application/json', 'content-length', `${bytes.length}`]
  return { status: 200, headers, body: method === 'HEAD' ? null : bytes }
}
