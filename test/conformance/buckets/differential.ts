import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type {
  Bucket,
  GetOptions,
  ListOptions,
  OnlyIf,
  PutOptions,
  StoredObject,
} from '../../../adapters/objects/bucket.ts'
import { bytesOf, bytesOfLength, digest, hasBody } from './store.ts'

const HOUR = 3_600_000
const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const

/** A condition before it is known which etags and times there are; each side has times of its own. */
interface Condition {
  readonly etagMatches?: 'current' | 'other' | '*'
  readonly etagDoesNotMatch?: 'current' | 'other' | '*'
  readonly uploadedBefore?: number
  readonly uploadedAfter?: number
  readonly secondsGranularity?: boolean
}

export type Step =
  | {
      readonly name: 'put'
      readonly key: string
      readonly size: number
      readonly onlyIf?: Condition
      readonly options: PutOptions
      readonly digest?: 'right' | 'wrong'
      readonly algorithm: (typeof ALGORITHMS)[number]
    }
  | {
      readonly name: 'get'
      readonly key: string
      readonly onlyIf?: Condition
      readonly options: GetOptions
    }
  | { readonly name: 'head'; readonly key: string }
  | { readonly name: 'delete'; readonly keys: readonly string[] }
  | { readonly name: 'list'; readonly options: ListOptions }

const key = fc
  .array(fc.constantFrom('a', 'b', '/', 'é', '+', ' ', '%2F', '\u{10000}', '\uffff', '&'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(''))
/** One byte more than R2 takes, and one less. */
const limits = fc.constantFrom('k'.repeat(1025), 'é'.repeat(513), 'k'.repeat(1024))
const keys = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('a', 'b', 'a/b') },
  { weight: 4, arbitrary: key },
  { weight: 1, arbitrary: limits },
)
const etag = fc.constantFrom('current', 'other', '*')
const time = fc.constantFrom(-HOUR, 0, HOUR)
const condition: fc.Arbitrary<Condition> = fc.record(
  {
    etagMatches: etag,
    etagDoesNotMatch: etag,
    uploadedBefore: time,
    uploadedAfter: time,
    secondsGranularity: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Condition>
const onlyIf = fc.option(condition, { nil: undefined, freq: 2 })
const size = fc.constantFrom(0, 1, 2, 10, 1000, 300_000)
const count = fc.constantFrom(0, 1, 2, 9, 10, 11, 1000, 299_999, 300_001)
const range = fc.oneof(
  fc.record({ offset: count, length: count }),
  fc.record({ offset: count }),
  fc.record({ length: count }),
  fc.record({ suffix: count }),
)
const text = fc.constantFrom('', 'x', 'some words', 'a=b; c="d"')
const http = fc.record(
  {
    contentType: fc.constantFrom('text/plain', 'application/json'),
    contentLanguage: fc.constantFrom('de-CH', 'en'),
    contentDisposition: fc.constant('attachment; filename="a b"'),
    contentEncoding: fc.constant('identity'),
    cacheControl: fc.constant('no-store'),
    cacheExpiry: fc.constant(1_900_000_000_000),
  },
  { requiredKeys: [] },
)
/** Between 2,048 bytes, where miniflare ends, and 8,192, as R2 has it, they may differ. */
const custom = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(fc.constantFrom('a', 'b-c', 'd_1'), text) },
  { weight: 1, arbitrary: fc.constant({ a: 'x'.repeat(8192) }) },
)
const listing = fc.record(
  {
    prefix: fc.constantFrom('', 'a', 'a/', 'é', 'none'),
    delimiter: fc.constantFrom('', '/', 'b', '%2'),
    startAfter: fc.constantFrom('', 'a', 'a/b', '\uffff'),
    limit: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 4 }) },
      { weight: 1, arbitrary: fc.constantFrom(0, 1000, 1001) },
    ),
    include: fc.subarray(['httpMetadata', 'customMetadata'] as const),
  },
  { requiredKeys: [] },
)

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      name: fc.constant('put' as const),
      key: keys,
      size,
      onlyIf,
      options: fc.record({ httpMetadata: http, customMetadata: custom }, { requiredKeys: [] }),
      digest: fc.option(fc.constantFrom('right' as const, 'wrong' as const), {
        nil: undefined,
        freq: 5,
      }),
      algorithm: fc.constantFrom(...ALGORITHMS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant('get' as const),
      key: keys,
      onlyIf,
      options: fc.record({ range }, { requiredKeys: [] }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('head' as const), key: keys }) },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.constant('delete' as const),
      keys: fc.array(keys, { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('list' as const), options: listing }) },
) as fc.Arbitrary<Step>

/** What most sequences begin with, so that there is something to read, to replace and to list. */
const firstPuts: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    name: fc.constant('put' as const),
    key: fc.constantFrom('a', 'b', 'a/b'),
    size,
    options: fc.constant({}),
    algorithm: fc.constant('md5' as const),
  }),
  { maxLength: 3 },
)

/** Sequences of operations on one bucket. */
export const sequences: fc.Arbitrary<readonly Step[]> = fc
  .tuple(firstPuts, fc.array(step, { minLength: 1, maxLength: 14 }))
  .map(([puts, steps]) => [...puts, ...steps])

const putOf = (key: string, more: Partial<Extract<Step, { name: 'put' }>> = {}): Step => ({
  name: 'put',
  key,
  size: 10,
  options: {},
  algorithm: 'sha1',
  ...more,
})

/** What no run may leave out: each refusal that R2 has a number for. */
export const refusals: readonly Step[] = [
  putOf('a'),
  ...[{ offset: 10 }, { offset: 11, length: 1 }, { suffix: 0 }, { length: 0 }].map(
    (range): Step => ({ name: 'get', key: 'a', options: { range } }),
  ),
  ...ALGORITHMS.map((algorithm) => putOf('a', { digest: 'wrong', algorithm })),
  putOf('a', { options: { customMetadata: { a: 'x'.repeat(8192) } } }),
  putOf('k'.repeat(1025)),
  { name: 'get', key: 'k'.repeat(1025), options: {} },
  { name: 'head', key: 'é'.repeat(513) },
  { name: 'delete', keys: ['a', 'k'.repeat(1025)] },
  { name: 'head', key: 'a' },
  { name: 'list', options: { limit: 0 } },
  { name: 'list', options: { limit: 1001 } },
  { name: 'list', options: {} },
]

/** What one side says to a step, in a form in which both can be compared. */
type Said = unknown

/** What a driver may do otherwise than R2, and so is taken out of the comparison. docs/store.md says why. */
export interface Leave {
  /** What S3 says of an object without a type. */
  readonly defaultType?: string
}

/**
 * Runs the steps on both, and gives the first on which they differ; undefined where they say the same to the end. Both are
 * emptied before.
 */
export async function difference(
  sides: { readonly driver: Bucket; readonly r2: Bucket },
  steps: readonly Step[],
  leave: Leave = {},
): Promise<{ readonly step: Step; readonly driver: Said; readonly r2: Said } | undefined> {
  await Promise.all([empty(sides.driver), empty(sides.r2)])
  for (const step of steps) {
    const [driver, r2] = await Promise.all([
      say(sides.driver, step, leave),
      say(sides.r2, step, leave),
    ])
    if (!isDeepStrictEqual(driver, r2)) return { step, driver, r2 }
  }
  return undefined
}

async function empty(bucket: Bucket): Promise<void> {
  const { objects } = await bucket.list()
  await bucket.delete(objects.map(({ key }) => key))
}

async function say(bucket: Bucket, step: Step, leave: Leave): Promise<Said> {
  try {
    return await run(bucket, step, leave)
  } catch (error) {
    const { number } = error as { readonly number?: number }
    if (number === undefined) throw error
    return { refused: number }
  }
}

async function run(bucket: Bucket, step: Step, leave: Leave): Promise<Said> {
  switch (step.name) {
    case 'put': {
      const bytes = bytesOfLength(step.size, step.key)
      const announced = step.digest === 'wrong' ? Buffer.from('other') : bytes
      const stored = await bucket.put(step.key, bytes, {
        ...step.options,
        ...(step.digest === undefined
          ? {}
          : { checksums: { [step.algorithm]: digest(step.algorithm, announced) } }),
        ...(await conditionOn(bucket, step)),
      })
      // The object as it is from now on says more than the answer to the put, which S3 does not have.
      return stored === null ? null : shown(await bucket.head(step.key), leave)
    }
    case 'get': {
      const options = { ...step.options, ...(await conditionOn(bucket, step)) }
      const found = await bucket.get(step.key, options)
      if (!hasBody(found)) return shown(found, leave)
      const ranged = step.options.range === undefined ? {} : { range: found.range }
      const bytes = digest('md5', await bytesOf(found.body))
      return { ...shown(found, leave), ...ranged, bytes }
    }
    case 'head':
      return shown(await bucket.head(step.key), leave)
    case 'delete':
      return (await bucket.delete(step.keys)) ?? null
    case 'list':
      return listed(bucket, step.options, leave)
  }
}

/** Page by page; R2 makes pages of its own length where metadata is wanted, so that then all of them count as one. */
async function listed(bucket: Bucket, options: ListOptions, leave: Leave): Promise<Said> {
  const pages: { readonly objects: unknown[]; readonly prefixes: string[] }[] = []
  let cursor: string | undefined
  do {
    const page = await bucket.list({ ...options, ...(cursor === undefined ? {} : { cursor }) })
    pages.push({
      objects: page.objects.map((object) => {
        const { checksums: _, ...rest } = shown(object, leave) ?? { checksums: {} }
        return rest
      }),
      prefixes: [...page.delimitedPrefixes],
    })
    if (page.truncated !== (page.cursor !== undefined)) return 'truncated without a cursor'
    cursor = page.cursor
  } while (cursor !== undefined)
  return (options.include ?? []).length === 0 ? pages : pages.flatMap(({ objects }) => objects)
}

async function conditionOn(
  bucket: Bucket,
  { key, onlyIf }: { readonly key: string; readonly onlyIf?: Condition },
): Promise<{ readonly onlyIf?: OnlyIf }> {
  if (onlyIf === undefined) return {}
  const { etag = 'none', uploaded = 0 } = (await bucket.head(key)) ?? {}
  const named = { current: etag, other: 'other', '*': '*' }
  const { etagMatches, etagDoesNotMatch, uploadedBefore, uploadedAfter, ...rest } = onlyIf
  return {
    onlyIf: {
      ...rest,
      ...(etagMatches === undefined ? {} : { etagMatches: named[etagMatches] }),
      ...(etagDoesNotMatch === undefined ? {} : { etagDoesNotMatch: named[etagDoesNotMatch] }),
      ...(uploadedBefore === undefined ? {} : { uploadedBefore: uploaded + uploadedBefore }),
      ...(uploadedAfter === undefined ? {} : { uploadedAfter: uploaded + uploadedAfter }),
    },
  }
}

/** Without versions and times, which each side has of its own, and without the SHA-256, which R2 has where it was announced. */
function shown(object: StoredObject | null, { defaultType }: Leave) {
  if (object === null) return null
  const { key, size, etag, httpEtag, checksums, httpMetadata, customMetadata } = object
  const { contentType, ...http } = httpMetadata
  const { sha256: _, ...sums } = checksums
  const type = contentType === defaultType ? undefined : contentType
  return {
    key,
    size,
    etag,
    httpEtag,
    checksums: sums,
    httpMetadata: { ...http, contentType: type },
    customMetadata,
  }
}
