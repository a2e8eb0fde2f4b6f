import { encodeLogs, rejectedBy } from '../formats/otlp.ts'
import type { OtlpOptions } from '../port.ts'
import type { Sink } from '../sink.ts'
import { createPoster } from './post.ts'

const MAX_CHARS = 1024 * 1024

/** Posts log records as OTLP over HTTP in binary protobuf. */
export function createOtlp(options: OtlpOptions, version: string): Sink {
  const { url, authorization, format, batch, deadlineMs } = options
  const poster = createPoster(url)
  return {
    bounds: { items: batch, chars: MAX_CHARS, lingerMs: 0 },
    deadlineMs,
    async deliver({ items }, signal) {
      const body = encodeLogs(items, { format, version })
      const headers = {
        'content-type': 'application/x-protobuf',
        ...(authorization && { authorization: authorization.reveal() }),
      }
      return { rejected: rejectedBy(await poster.post({ headers, body }, signal)) }
    },
    close: () => poster.close(),
  }
}
