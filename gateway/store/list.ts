import type { Bucket, ListedObject, ListOptions } from '../../adapters/objects/port.ts'
import { parseQuery } from '../../catalog/index.ts'
import { Refusal, refusal, type RefusalReason } from '../refusal.ts'

/** The parameters of a list, as tokens and addresses name them. */
export const LIST_PARAMETERS = {
  prefix: 'Only keys that begin so',
  delimiter: 'Keys that share what comes before it, behind the prefix, are one entry of `prefixes`',
  cursor: '`next` of an earlier answer',
  start_after: 'Only keys behind this one',
  limit: '1 to 1000; 1000 without it',
  include: '`http_metadata`, `custom_metadata`, `body`, parted by commas',
} as const

const INCLUDED: Readonly<Record<string, NonNullable<ListOptions['include']>[number]>> = {
  http_metadata: 'httpMetadata',
  custom_metadata: 'customMetadata',
  body: 'body',
}

/** The entries of a bucket as JSON; bodies are in base64, where they come. */
export async function listBucket(bucket: Bucket, query: string): Promise<object> {
  const options = readListQuery(query)
  const page = await bucket.list(options)
  return {
    objects: page.objects.map((object) => shownOf(object, options.include)),
    prefixes: page.delimitedPrefixes,
    next: page.cursor ?? null,
  }
}

function readListQuery(query: string): ListOptions {
  const given = Object.entries(parseQuery(query))
  const unknown = given.filter(([name]) => !Object.hasOwn(LIST_PARAMETERS, name))
  if (unknown.length > 0)
    throw new Refusal(
      'unknown_field',
      unknown.map(([name]) => unknownReason(name)),
    )
  const twice = given.find(([, value]) => typeof value !== 'string')
  if (twice !== undefined)
    throw refusal('malformed_request', twice[0], { got: 'several', repair: 'give it once' })
  const {
    limit,
    include,
    start_after: startAfter,
    ...rest
  } = Object.fromEntries(given) as Readonly<Record<string, string>>
  return {
    ...rest,
    ...(startAfter === undefined ? {} : { startAfter }),
    ...(limit === undefined ? {} : { limit: readLimit(limit) }),
    ...(include === undefined ? {} : { include: include.split(',').map(readIncluded) }),
  }
}

function unknownReason(name: string): RefusalReason {
  const repair = `use: ${Object.keys(LIST_PARAMETERS).join(', ')}`
  return { axis: name.slice(0, 80), got: 'an unknown parameter', repair }
}

function readLimit(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  const got = `\`${text.slice(0, 80)}\``
  throw refusal('malformed_request', 'limit', {
    got,
    repair: 'write a whole number from 1 to 1000',
  })
}

function readIncluded(name: string): NonNullable<ListOptions['include']>[number] {
  const known = Object.hasOwn(INCLUDED, name) ? INCLUDED[name] : undefined
  if (known !== undefined) return known
  const repair = `use: ${Object.keys(INCLUDED).join(', ')}`
  throw refusal('malformed_request', 'include', { got: `\`${name.slice(0, 80)}\``, repair })
}

function shownOf(object: ListedObject, include: ListOptions['include'] = []): object {
  const { key, size, etag, version, uploaded, httpMetadata, customMetadata, bytes } = object
  return {
    key,
    size,
    etag,
    version,
    uploaded: new Date(uploaded).toISOString(),
    ...(include.includes('httpMetadata') ? { http_metadata: httpMetadata } : {}),
    ...(include.includes('customMetadata') ? { custom_metadata: customMetadata } : {}),
    ...(bytes === undefined ? {} : { body: Buffer.from(bytes).toString('base64') }),
  }
}
