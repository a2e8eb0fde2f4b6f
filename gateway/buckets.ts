import type { Secret } from '../adapters/keys/port.ts'
import type { LedgerIndex } from '../adapters/ledger/port.ts'
import { openEmbeddedBuckets } from '../adapters/objects/embedded/open.ts'
import { openBodyFolder } from '../adapters/objects/folder.ts'
import { createIntake, type Intake } from '../adapters/objects/intake.ts'
import { createLate, lateBucket } from '../adapters/objects/late.ts'
import { openLedgerBucket } from '../adapters/objects/ledger/open.ts'
import type { BodyStore, Bucket } from '../adapters/objects/port.ts'
import { openPostgresBuckets } from '../adapters/objects/postgres/open.ts'
import { readOnlyBucket } from '../adapters/objects/read-only.ts'
import { openDatabase } from '../adapters/postgres/database.ts'
import {
  bucketSecretName,
  LEDGER_BUCKET,
  type BucketConfig,
  type LedgerConfig,
} from './config/index.ts'
import { databaseFiles, type StatePaths } from './state/paths.ts'

const CONNECTIONS = 4
/** Where articles lie, `<slug>.json` each. */
const ARTICLES_BUCKET = 'articles'
/** Pieces of bodies may take longer than rows. */
const DEADLINE_MS = 10_000

export interface BucketPlace {
  readonly config: readonly BucketConfig[]
  readonly paths: StatePaths
  readonly secrets: ReadonlyMap<string, Secret>
  readonly index: Pick<LedgerIndex, 'get' | 'sync'>
  readonly bodies: Pick<BodyStore, 'find' | 'read' | 'list'>
}

type Closers = (() => Promise<void> | void)[]

/**
 * All buckets of the configuration by name, and what the ledger holds. What is in the state folder or in S3 is opened
 * when it is first asked for. Rejects where a database cannot be reached.
 */
export async function openBuckets(
  { config, paths, secrets, index, bodies }: BucketPlace,
  closers: Closers,
): Promise<ReadonlyMap<string, Bucket>> {
  const { temporary } = await openBodyFolder(paths.objects)
  const intake = createIntake({ temporary })
  const embedded = openEmbedded(paths, intake, closers)
  const secretOf = (name: string, what: Parameters<typeof bucketSecretName>[1]): Secret => {
    const found = secrets.get(bucketSecretName(name, what))
    if (found === undefined) throw new Error(`bucket \`${name}\`: its ${what} was not read`)
    return found
  }
  const open = async (bucket: BucketConfig): Promise<Bucket> => {
    const { name } = bucket
    if (bucket.driver === 'embedded') return embedded(name)
    if (bucket.driver === 'postgres')
      return openPostgres(name, { url: secretOf(name, 'url').reveal(), intake }, closers)
    const accessKeyId = secretOf(name, 'access_key_id')
    const secretAccessKey = secretOf(name, 'secret_access_key')
    const place = { ...bucket, accessKeyId, secretAccessKey, intake }
    const s3 = lateBucket(async () => {
      // A second of loading, and memory, that nobody pays for who has no S3.
      const { openS3Bucket } = await import('../adapters/objects/s3/open.ts')
      return openS3Bucket(place)
    })
    closers.push(() => s3.close())
    return s3
  }
  const buckets = new Map<string, Bucket>([[LEDGER_BUCKET, openLedgerBucket({ index, bodies })]])
  if (!config.some(({ name }) => name === ARTICLES_BUCKET))
    buckets.set(ARTICLES_BUCKET, embedded(ARTICLES_BUCKET))
  for (const bucket of config) {
    const opened = await open(bucket)
    buckets.set(bucket.name, bucket.readOnly ? readOnlyBucket(opened) : opened)
  }
  return buckets
}

/** The one of the articles: that of the configuration, or else one in the state folder. */
export function articlesOf(buckets: ReadonlyMap<string, Bucket>): Bucket {
  return buckets.get(ARTICLES_BUCKET) as Bucket
}

/** Those that the owner has as buckets: what lies among the articles is written by their own doors alone. */
export function ownersOf(buckets: ReadonlyMap<string, Bucket>): ReadonlyMap<string, Bucket> {
  return new Map([...buckets, [ARTICLES_BUCKET, readOnlyBucket(articlesOf(buckets))]])
}

/** Those that tokens can be granted: all but the articles, the receipts, and what the ledger carries of them elsewhere. */
export function holdersOf(
  buckets: ReadonlyMap<string, Bucket>,
  { anchor, exports }: Pick<LedgerConfig, 'anchor' | 'exports'>,
): ReadonlyMap<string, Bucket> {
  const carried = exports.flatMap((sink) => (sink.type === 'bucket' ? [sink.bucket] : []))
  const ledgers = new Set([LEDGER_BUCKET, ARTICLES_BUCKET, anchor?.bucket, ...carried])
  return new Map([...buckets].filter(([name]) => !ledgers.has(name)))
}

/** One file for all embedded buckets. */
function openEmbedded(paths: StatePaths, intake: Intake, closers: Closers) {
  const { objects: file } = databaseFiles(paths)
  const late = createLate(() => openEmbeddedBuckets({ file, folder: paths.objects, intake }))
  closers.push(async () => (await late.opened())?.close())
  return (name: string) => lateBucket(async () => (await late.get()).bucket(name))
}

async function openPostgres(
  name: string,
  { url, intake }: { readonly url: string; readonly intake: Intake },
  closers: Closers,
): Promise<Bucket> {
  const database = await openDatabase({ url, connections: CONNECTIONS, deadlineMs: DEADLINE_MS })
  const buckets = openPostgresBuckets({ database, intake })
  closers.push(
    () => database.close(),
    () => buckets.close(),
  )
  return buckets.bucket(name)
}
