import type { Database } from '../../postgres/port.ts'
import type { Bucket } from '../bucket.ts'
import type { Intake } from '../intake.ts'
import { checkCondition } from '../rules/condition.ts'
import { unavailable } from '../rules/fault.ts'
import { checkDelete, checkKey, checkList, checkPut } from '../rules/limits.ts'
import { checkRange } from '../rules/range.ts'
import { getObject, headObject, listObjects } from './reading.ts'
import { deleteObjects, putObject } from './writing.ts'

const GRACE_MS = 900_000
const SWEEP_MS = 60_000
/** Bodies, and pieces of bodies, that one statement removes. */
const SWEPT = 200

export interface PostgresBucketsOptions {
  readonly database: Database
  readonly intake: Intake
  /** How long a body that nobody names stays for those who still read it. @default 15 minutes */
  readonly graceMs?: number
  /** How often it is looked for such. @default a minute */
  readonly sweepMs?: number
}

/** All buckets in one database. */
export interface PostgresBuckets {
  /** The bucket of this name; it needs no making, and closing it closes nothing. */
  bucket(name: string): Bucket
  /** Stops sweeping; the database is the caller's to close. */
  close(): Promise<void>
}

/** Objects in PostgreSQL, shared by all gateways: larger bodies once, over all keys and buckets. */
export function openPostgresBuckets(options: PostgresBucketsOptions): PostgresBuckets {
  const { database, intake, graceMs = GRACE_MS, sweepMs = SWEEP_MS } = options
  let sweeping: Promise<void> | undefined
  const sweep = async (): Promise<void> => {
    for (let more = true; more;) {
      const [row] = await database.query<{ more: boolean }>(
        'SELECT narrowgate.sweep_blobs($1, $2) AS more',
        [graceMs, SWEPT],
      )
      more = row?.more === true
    }
  }
  const timer = setInterval(() => {
    // What is not swept now is swept later.
    sweeping ??= sweep()
      .catch(() => undefined)
      .finally(() => (sweeping = undefined))
  }, sweepMs)
  timer.unref()
  return {
    bucket: (name) => createBucket(name, database, intake),
    async close() {
      clearInterval(timer)
      await sweeping
    },
  }
}

function createBucket(bucket: string, database: Database, intake: Intake): Bucket {
  const failed = unavailable(`bucket \`${bucket}\``)
  return {
    async head(key) {
      checkKey(key)
      return headObject(database, bucket, key).catch(failed)
    },
    async get(key, options = {}) {
      checkKey(key)
      checkCondition(options.onlyIf)
      checkRange(options.range)
      return getObject(database, { bucket, key }, options).catch(failed)
    },
    async put(key, value, options = {}) {
      checkPut(key, options)
      const taken = await intake.take(value, options.checksums)
      try {
        return await putObject(database, { bucket, key, taken, options }).catch(failed)
      } finally {
        await taken.discard()
      }
    },
    async delete(keys) {
      const list = checkDelete(keys)
      await deleteObjects(database, bucket, list).catch(failed)
    },
    async list(options = {}) {
      checkList(options)
      return listObjects(database, bucket, options).catch(failed)
    },
    close: async () => {},
  }
}
