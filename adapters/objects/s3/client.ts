import { S3Client } from '@aws-sdk/client-s3'
import type { Secret } from '../../keys/port.ts'

/** Deadlines in milliseconds. */
const CONNECT_MS = 3_000
const SILENCE_MS = 60_000
const CALL_MS = 10_000
/** What a body is given at least, besides the time of a call: bytes a millisecond. */
const SLOWEST = 128

/** Where an S3 bucket is, and how to get in. */
export interface S3Place {
  /** `https://s3.eu-central-1.amazonaws.com`; the bucket's name goes into the path. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: Secret
  readonly secretAccessKey: Secret
}

/** Everything is said here: nothing is taken from the environment or from files of other programs. */
export function createS3Client(place: S3Place): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = place
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: async () => ({
      accessKeyId: accessKeyId.reveal(),
      secretAccessKey: secretAccessKey.reveal(),
    }),
    // Bytes are sent as they are, with their MD5: not every S3 understands the chunks that other sums travel in.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Some never say to go on, and the bytes would wait for seconds.
    expectContinueHeader: false,
    maxAttempts: 3,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
  })
}

/** Runs a call that has to be answered in time: all its tries, with the bytes that it sends. */
export async function within<T>(
  call: (signal: AbortSignal) => Promise<T>,
  sentBytes = 0,
): Promise<T> {
  const deadline = new AbortController()
  const ms = CALL_MS + Math.ceil(sentBytes / SLOWEST)
  const timer = setTimeout(() => deadline.abort(new Error(`no answer within ${ms} ms`)), ms)
  try {
    return await call(deadline.signal)
  } finally {
    clearTimeout(timer)
  }
}
