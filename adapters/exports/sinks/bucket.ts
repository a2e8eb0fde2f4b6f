import { hash } from 'node:crypto'
import type { Bucket } from '../../objects/port.ts'
import type { BucketOptions } from '../port.ts'
import { ALL_TAKEN, type Sink } from '../sink.ts'
import { fileBounds, fileBytes, fileName } from './file.ts'

const DEADLINE_MS = 120_000

/** Puts finished files into a bucket, each under a key that is never written twice. */
export function createBucketSink(
  options: BucketOptions,
  { bucket, version }: { readonly bucket: Pick<Bucket, 'put'>; readonly version: string },
): Sink {
  const contentType =
    options.format === 'parquet' ? 'application/vnd.apache.parquet' : 'application/gzip'
  return {
    bounds: fileBounds(options),
    deadlineMs: DEADLINE_MS,
    async deliver(batch, signal) {
      const bytes = await fileBytes(batch, { ...options, version }, signal)
      signal.throwIfAborted()
      // Null says that it is there: from a try whose answer was lost, and with the same bytes by its name.
      const putting = bucket.put(`${options.prefix}${fileName(batch, options)}`, bytes, {
        onlyIf: { etagDoesNotMatch: '*' },
        checksums: { sha256: hash('sha256', bytes) },
        httpMetadata: { contentType },
      })
      await Promise.race([putting, aborted(signal)])
      return ALL_TAKEN
    },
    // It is its opener's.
    close: () => undefined,
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new Error('there was no whole answer in time'))
    signal.addEventListener('abort', fail, { once: true })
    if (signal.aborted) fail()
  })
}
