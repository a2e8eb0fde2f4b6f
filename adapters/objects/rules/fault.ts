import type { BucketError } from '../bucket.ts'

/** As R2 numbers them (developers.cloudflare.com/r2/api/error-codes). */
const NUMBERS: Readonly<Record<BucketError['code'], number>> = {
  InternalError: 10001,
  AccessDenied: 10003,
  MetadataTooLarge: 10012,
  InvalidObjectName: 10020,
  InvalidMaxKeys: 10022,
  InvalidArgument: 10029,
  BadDigest: 10037,
  InvalidRange: 10039,
  EntityTooLarge: 100100,
}

/** Makes what drivers throw; the message says what to do, and holds no bytes of an object. */
export function bucketFault(
  code: BucketError['code'],
  message: string,
  options: { readonly cause?: unknown } = {},
): BucketError {
  const error = { name: 'BucketError', code, number: NUMBERS[code] } as const
  return Object.assign(new Error(message, options), error)
}

export function isBucketFault(error: unknown): error is BucketError {
  return error instanceof Error && error.name === 'BucketError'
}

/** Whatever went wrong with the place where objects lie, but for what has a code already. */
export function unavailable(what: string): (cause: unknown) => never {
  return (cause) => {
    if (isBucketFault(cause)) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw bucketFault('InternalError', `${what}: ${why}`, { cause })
  }
}
