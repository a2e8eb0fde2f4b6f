import type { Bucket } from '../bucket.ts'
import type { Intake } from '../intake.ts'
import { checkCondition } from '../rules/condition.ts'
import { checkDelete, checkKey, checkList, checkPut } from '../rules/limits.ts'
import { checkRange } from '../rules/range.ts'
import { createS3Client, type S3Place } from './client.ts'
import { deleteObjects } from './deleting.ts'
import { checkForS3, checkKeyForS3 } from './facts.ts'
import { refusedBy } from './fault.ts'
import { listObjects } from './listing.ts'
import { getObject, headObject } from './reading.ts'
import { putObject } from './writing.ts'

/**
 * A bucket that lies in an S3, key by key. Nothing is asked before it is needed: a bucket that does not exist shows at
 * the first call. Every call ends in time, with InternalError where S3 does not answer.
 */
export function openS3Bucket(options: S3Place & { readonly intake: Intake }): Bucket {
  const { bucket, intake } = options
  const client = createS3Client(options)
  const place = { client, bucket }
  const refuse = refusedBy(bucket)
  return {
    async head(key) {
      checkKey(key)
      checkKeyForS3(key)
      return (await headObject(place, key).catch(refuse))?.object ?? null
    },
    async get(key, options = {}) {
      checkKey(key)
      checkKeyForS3(key)
      checkCondition(options.onlyIf)
      checkRange(options.range)
      return getObject(place, key, options).catch(refuse)
    },
    async put(key, value, options = {}) {
      checkPut(key, options)
      checkForS3(key, options)
      const taken = await intake.take(value, options.checksums)
      try {
        return await putObject(place, { key, taken, options }).catch(refuse)
      } finally {
        await taken.discard()
      }
    },
    async delete(keys) {
      const list = checkDelete(keys)
      list.forEach(checkKeyForS3)
      await deleteObjects(place, list).catch(refuse)
    },
    async list(options = {}) {
      checkList(options)
      return listObjects(place, options).catch(refuse)
    },
    close: async () => client.destroy(),
  }
}
