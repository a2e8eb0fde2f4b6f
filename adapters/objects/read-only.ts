import type { Bucket } from './bucket.ts'
import { bucketFault } from './rules/fault.ts'

/** The same bucket, but for what would change it: that is refused with AccessDenied. */
export function readOnlyBucket(bucket: Bucket): Bucket {
  return { ...bucket, put: refuseWrite, delete: refuseWrite }
}

export async function refuseWrite(): Promise<never> {
  throw bucketFault('AccessDenied', 'the bucket can only be read; write to another')
}
