import type { Knock } from './knock.ts'
import type { Refusal } from './refusal.ts'
import { sentenceOf } from './refusal.ts'
import { getHeader } from './wire/headers.ts'

/** gRPC proper, which is HTTP/2 alone; gRPC-Web reads HTTP's status like everybody else. */
export function isGrpc({ httpVersion, headers }: Knock): boolean {
  return httpVersion === '2' && GRPC.test(getHeader(headers, 'content-type') ?? '')
}

const GRPC = /^application\/grpc(?:[+;]|$)/i

/**
 * The fields in which a gRPC client reads a refusal: it sees no body, and of HTTP's status other than 200 not more than a
 * number (gRPC over HTTP/2, Responses: Trailers-Only). `redact` goes over the text before it is encoded.
 */
export function grpcFields(
  refused: Refusal,
  ran: boolean | 'unknown',
  redact: (text: string) => string,
): readonly string[] {
  return [
    'content-type',
    'application/grpc',
    'grpc-status',
    String(codeOf(refused, ran)),
    'grpc-message',
    encoded(redact(sentenceOf(refused))),
  ]
}

const UNKNOWN = 2
const UNAVAILABLE = 14

/** gRPC's codes by HTTP's status. */
const CODES: ReadonlyMap<number, number> = new Map([
  [400, 3], // INVALID_ARGUMENT
  [401, 16], // UNAUTHENTICATED
  [403, 7], // PERMISSION_DENIED
  [413, 8], // RESOURCE_EXHAUSTED
  [429, 8],
  [431, 8],
  [500, 13], // INTERNAL
  [504, 4], // DEADLINE_EXCEEDED
])

/** UNAVAILABLE asks clients to try again by themselves: only where the upstream surely did nothing. */
function codeOf({ status }: Refusal, ran: boolean | 'unknown'): number {
  const away = (status === 502 || status === 503) && ran === false
  return away ? UNAVAILABLE : (CODES.get(status) ?? UNKNOWN)
}

/** Percent-encoding of whatever is not printable ASCII, and of the percent sign. */
function encoded(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/gu, (part) =>
    [...new TextEncoder().encode(part)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
}
