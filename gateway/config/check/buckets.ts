import type { ConfigFiles } from '../files.ts'
import { showGot } from '../got.ts'
import type { RawBucket } from '../raw.ts'
import type { Report } from '../report.ts'
import type { BucketConfig } from '../types.ts'
import { buildSecret } from './secret.ts'

/** The receipts, as objects that can only be read. */
export const LEDGER_BUCKET = 'ledger'

type Own = Exclude<keyof RawBucket, 'name' | 'driver' | 'read_only'>

/** What each driver must have said, and what may be said besides. */
const DRIVERS: Readonly<
  Record<RawBucket['driver'], { readonly needs: readonly Own[]; readonly takes: readonly Own[] }>
> = {
  embedded: { needs: [], takes: [] },
  postgres: { needs: ['url'], takes: [] },
  s3: { needs: ['endpoint', 'access_key_id', 'secret_access_key'], takes: ['region', 'bucket'] },
}

const ALL = Object.values(DRIVERS).flatMap(({ needs, takes }) => [...needs, ...takes])

/** All buckets; each has a name of its own, and none that of the gateway's. */
export function buildBuckets(
  raw: readonly RawBucket[] | undefined,
  files: ConfigFiles,
  report: Report,
): readonly BucketConfig[] {
  const names = new Set<string>([LEDGER_BUCKET])
  return report.items('buckets', raw, (bucket, at) => {
    if (names.has(bucket.name))
      report.add(`${at}.name`, `${showGot(bucket.name)}, which is taken`, 'give it another name')
    names.add(bucket.name)
    checkKeys(bucket, at, report)
    return report.field(at, bucket, () => buildBucket(bucket, at, { files, report }))
  })
}

function checkKeys(bucket: RawBucket, at: string, report: Report): void {
  const driver = DRIVERS[bucket.driver]
  if (driver === undefined) return
  const { needs, takes } = driver
  for (const key of needs) {
    if (bucket[key] === undefined)
      report.add(`${at}.${key}`, 'nothing', `write it: \`driver: ${bucket.driver}\` needs it`)
  }
  for (const key of ALL) {
    if (bucket[key] === undefined || needs.includes(key) || takes.includes(key)) continue
    const got = `a key that \`driver: ${bucket.driver}\` does not take`
    report.add(`${at}.${key}`, got, 'remove it, or set another driver')
  }
}

function buildBucket(
  raw: RawBucket,
  at: string,
  { files, report }: { readonly files: ConfigFiles; readonly report: Report },
): BucketConfig | undefined {
  const { name, driver, read_only: readOnly } = raw
  if (driver === 'embedded') return { name, readOnly, driver }
  if (driver === 'postgres')
    return raw.url && { name, readOnly, driver, url: buildSecret(raw.url, files) }
  const { endpoint, region = 'auto', bucket = name, access_key_id, secret_access_key } = raw
  const address = endpoint && buildEndpoint(endpoint, `${at}.endpoint`, report)
  if (!address || access_key_id === undefined || secret_access_key === undefined) return undefined
  return {
    name,
    readOnly,
    driver,
    endpoint: address,
    region,
    bucket,
    accessKeyId: buildSecret(access_key_id, files),
    secretAccessKey: buildSecret(secret_access_key, files),
  }
}

function buildEndpoint(text: string, at: string, report: Report): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const plain = url && url.username === '' && url.password === '' && url.search + url.hash === ''
  if (url !== undefined && plain && /^https?:$/.test(url.protocol))
    return url.href.replace(/\/$/, '')
  const got = url === undefined || plain ? showGot(text) : 'an address with more than a place'
  report.add(at, got, 'write an http or https address, without credentials, query and fragment')
  return undefined
}
