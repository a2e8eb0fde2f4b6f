import { Buffer } from 'node:buffer'
import type { HeadObjectCommandOutput, PutObjectCommandInput } from '@aws-sdk/client-s3'
import type { HttpMetadata, PutOptions, StoredObject } from '../bucket.ts'
import { bucketFault } from '../rules/fault.ts'
import { objectOf } from '../rules/object.ts'

/** Metadata of our own, beside the custom one; nobody else sees it. */
const OWN = 'narrowgate-'
const MARK = `${OWN}write`
/** S3 takes so many bytes of metadata, names and values. */
const MAX_BYTES = 2048
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/
const VALUE = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/

/**
 * Refuses what a head of HTTP cannot carry as it is, and what addresses of HTTP would lead elsewhere.
 * @throws BucketError InvalidObjectName, InvalidArgument
 */
export function checkForS3(
  key: string,
  { httpMetadata = {}, customMetadata = {} }: PutOptions,
): void {
  checkKeyForS3(key)
  for (const [name, value] of Object.entries(customMetadata)) {
    if (NAME.test(name) && !name.startsWith(OWN) && VALUE.test(value)) continue
    const repair = `write names in lower case, not with \`${OWN}\`, and values in ASCII without spaces around`
    throw bucketFault('InvalidArgument', `customMetadata.${JSON.stringify(name)}: ${repair}`)
  }
  const { cacheExpiry = 0, ...texts } = httpMetadata
  for (const [name, value] of Object.entries(texts)) {
    if (VALUE.test(value)) continue
    throw bucketFault('InvalidArgument', `httpMetadata.${name}: write ASCII without spaces around`)
  }
  if (cacheExpiry % 1000 !== 0)
    throw bucketFault('InvalidArgument', 'httpMetadata.cacheExpiry: S3 keeps whole seconds')
}

/** @throws BucketError InvalidObjectName */
export function checkKeyForS3(key: string): void {
  if (!key.split('/').some((segment) => segment === '.' || segment === '..')) return
  throw bucketFault(
    'InvalidObjectName',
    'key: S3 cannot address the segments `.` and `..`; leave them out',
  )
}

/** What is known of bytes that are to be stored. */
export interface Written {
  readonly checksums: StoredObject['checksums']
  /** Names this very write, so that it can be told from another of the same bytes. */
  readonly mark: string
}

/** @throws BucketError MetadataTooLarge */
export function headersOf(
  { httpMetadata = {}, customMetadata = {} }: PutOptions,
  { checksums, mark }: Written,
): Pick<PutObjectCommandInput, 'Metadata' | 'Expires' | 'ContentType' | 'CacheControl'> {
  const digests = Object.entries(checksums).map(([name, digest]) => [OWN + name, digest as string])
  const own = Object.fromEntries([...digests, [MARK, mark]]) as Readonly<Record<string, string>>
  const metadata = { ...customMetadata, ...own }
  const bytes = Buffer.byteLength(Object.entries(metadata).flat().join(''))
  if (bytes > MAX_BYTES)
    throw bucketFault(
      'MetadataTooLarge',
      `customMetadata: S3 takes ${MAX_BYTES} bytes, ours among them, and these are ${bytes}`,
    )
  const { cacheExpiry } = httpMetadata
  return {
    Metadata: metadata,
    ...given('ContentType', httpMetadata.contentType),
    ...given('ContentLanguage', httpMetadata.contentLanguage),
    ...given('ContentDisposition', httpMetadata.contentDisposition),
    ...given('ContentEncoding', httpMetadata.contentEncoding),
    ...given('CacheControl', httpMetadata.cacheControl),
    ...(cacheExpiry === undefined ? {} : { Expires: new Date(cacheExpiry) }),
  }
}

function given<Name extends string>(
  name: Name,
  value: string | undefined,
): Partial<Record<Name, string>> {
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, string>>
}

/** An etag as it stands in conditions, without its quotes. */
export function bareEtag(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '')
}

/** S3 tells whole seconds, but where a listing has more: one object must not have two times. */
export function secondsOf(time: Date | undefined): number {
  return Math.floor((time?.getTime() ?? 0) / 1000) * 1000
}

/** An object as head and get tell of it; `size` is that of the whole. */
export function objectOfHead(
  key: string,
  head: HeadObjectCommandOutput,
  size: number,
): StoredObject {
  const entries = Object.entries(head.Metadata ?? {})
  const own = entries.filter(([name]) => name.startsWith(OWN) && name !== MARK)
  const etag = bareEtag(head.ETag)
  return objectOf({
    key,
    version: etag,
    size,
    etag,
    uploaded: secondsOf(head.LastModified),
    checksums: Object.fromEntries(own.map(([name, value]) => [name.slice(OWN.length), value])),
    httpMetadata: httpOf(head),
    customMetadata: Object.fromEntries(entries.filter(([name]) => !name.startsWith(OWN))),
  })
}

/** Which write made the object; undefined where it was not made through this port. */
export function markOf({ Metadata }: HeadObjectCommandOutput): string | undefined {
  return Metadata?.[MARK]
}

function httpOf(head: HeadObjectCommandOutput): HttpMetadata {
  const expiry = head.ExpiresString === undefined ? Number.NaN : Date.parse(head.ExpiresString)
  return {
    ...given('contentType', head.ContentType),
    ...given('contentLanguage', head.ContentLanguage),
    ...given('contentDisposition', head.ContentDisposition),
    ...given('contentEncoding', head.ContentEncoding),
    ...given('cacheControl', head.CacheControl),
    ...(Number.isNaN(expiry) ? {} : { cacheExpiry: expiry }),
  }
}
