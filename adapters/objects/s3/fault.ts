import type { BucketError } from '../bucket.ts'
import { bucketFault, isBucketFault } from '../rules/fault.ts'

interface Seen {
  readonly name: string
  /** Undefined where no answer came. */
  readonly status: number | undefined
  readonly attempts: number
}

function seenOf(error: unknown): Seen {
  const { name = '', $metadata: { httpStatusCode, attempts = 1 } = {} } = error as {
    readonly name?: string
    readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number }
  }
  return { name, status: httpStatusCode, attempts }
}

export function isNone(error: unknown): boolean {
  const { name, status } = seenOf(error)
  return status === 404 && name !== 'NoSuchBucket'
}

/** The state was another one than a condition named. */
export function isChanged(error: unknown): boolean {
  return seenOf(error).status === 412
}

/** Somebody else was writing at that very moment: S3 asks to try again. */
export function isConflict(error: unknown): boolean {
  return seenOf(error).status === 409
}

export function isNoRange(error: unknown): boolean {
  return seenOf(error).status === 416
}

/** Whether the call may pass when it is made again. */
export function isPassing(error: unknown): boolean {
  const { status } = seenOf(error)
  return !isBucketFault(error) && (status === undefined || status === 429 || status >= 500)
}

/** Whether an earlier try of the same call may have been carried out without its answer being seen. */
export function isDoubtful(error: unknown): boolean {
  return isPassing(error) || seenOf(error).attempts > 1
}

const CODES: Readonly<Record<string, BucketError['code']>> = {
  EntityTooLarge: 'EntityTooLarge',
  MetadataTooLarge: 'MetadataTooLarge',
  KeyTooLongError: 'InvalidObjectName',
  BadDigest: 'BadDigest',
  InvalidRange: 'InvalidRange',
}

/** Turns whatever a call threw into what the port promises. */
export function refusedBy(bucket: string): (error: unknown) => never {
  return (error) => {
    if (isBucketFault(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    const code = CODES[seenOf(error).name] ?? 'InternalError'
    throw bucketFault(code, `bucket \`${bucket}\` in S3: ${why}`, { cause: error })
  }
}
