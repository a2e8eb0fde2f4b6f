import type { Bucket } from './bucket.ts'
import { bucketFault } from './rules/fault.ts'

/** The same bucket, but for what would change it: that is refused with ReadOnly. */
export function readOnlyBucket(bucket: Bucket): Bucket {
  const refuse = async (): Promise<never> => {
    throw bucketFault('ReadOnly', 'the bucket can only be read; write to another')
  }
  return { ...bucket, put: refuse, delete: refuse }
}
