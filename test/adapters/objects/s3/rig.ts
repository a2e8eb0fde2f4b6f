import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { SecretText } from '../../../../adapters/keys/secret.ts'
import type { Bucket } from '../../../../adapters/objects/bucket.ts'
import { createIntake } from '../../../../adapters/objects/intake.ts'
import { openS3Bucket } from '../../../../adapters/objects/s3/open.ts'

/** How an S3 is reached. */
export interface Reach {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Opens a bucket; it is closed with the test. */
export function openBucket(t: Test, reach: Reach, bucket: string): Bucket {
  const folder = mkdtempSync(join(tmpdir(), 'ng-s3-'))
  let count = 0
  const opened = openS3Bucket({
    endpoint: reach.endpoint,
    region: 'auto',
    bucket,
    accessKeyId: new SecretText('s3-id', reach.accessKeyId),
    secretAccessKey: new SecretText('s3-key', reach.secretAccessKey),
    intake: createIntake({ temporary: () => join(folder, `${(count += 1)}`) }),
  })
  t.teardown(async () => {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return opened
}
