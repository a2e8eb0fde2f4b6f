import type { BucketError } from '../bucket.ts'

/** Makes what drivers throw; the message says what to do, and holds no bytes of an object. */
export function bucketFault(
  code: BucketError['code'],
  message: string,
  options: { readonly cause?: unknown } = {},
): BucketError {
  return Object.assign(new Error(message, options), { name: 'BucketError', code } as const)
}

export function isBucketFault(error: unknown): error is BucketError {
  return error instanceof Error && error.name === 'BucketError'
}

/** Whatever went wrong with the place where objects lie, but for what has a code already. */
export function unavailable(what: string): (cause: unknown) => never {
  return (cause) => {
    if (isBucketFault(cause)) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw bucketFault('Unavailable', `${what}: ${why}`, { cause })
  }
}
