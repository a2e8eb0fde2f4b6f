import type { Readable } from 'node:stream'
import type { BucketError } from '../../adapters/objects/port.ts'
import type { ErrorCode } from '../errors.ts'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { problemDocument, refusal, type Refusal } from '../refusal.ts'

export interface StoreAnswer {
  readonly status: number
  readonly headers: RawHeaders
  readonly body: Readable | Buffer | null
}

interface Row {
  readonly code: ErrorCode
  readonly axis: string
  readonly repair: string
}

/** What each fault of a bucket is to who asked. */
const FAULTS: Readonly<Record<BucketError['code'], Row>> = {
  InvalidObjectName: { code: 'malformed_request', axis: 'key', repair: 'choose another key' },
  InvalidMaxKeys: {
    code: 'malformed_request',
    axis: 'limit',
    repair: 'write a whole number from 1 to 1000',
  },
  InvalidArgument: { code: 'malformed_request', axis: 'request', repair: 'correct the request' },
  BadDigest: { code: 'malformed_request', axis: 'body', repair: 'send the body again' },
  MetadataTooLarge: { code: 'too_large', axis: 'metadata', repair: 'send less metadata' },
  EntityTooLarge: { code: 'too_large', axis: 'body', repair: 'store it in parts' },
  InvalidRange: {
    code: 'range_unsatisfiable',
    axis: 'range',
    repair: 'ask for bytes that the object has',
  },
  AccessDenied: { code: 'read_only', axis: 'bucket', repair: 'write to another bucket' },
  InternalError: {
    code: 'store_unavailable',
    axis: 'bucket',
    repair: 'try again; its operator finds the cause in the log of the gateway',
  },
}

/** Turns what a bucket threw into a refusal; anything else comes back as it is. */
export function asRefusal(error: unknown): unknown {
  if (!isBucketError(error)) return error
  const { code, axis, repair } = FAULTS[error.code]
  // Of a place that fails more is known than a holder may see.
  const got =
    error.code === 'InternalError' ? 'no answer from where its objects lie' : error.message
  return Object.assign(refusal(code, axis, { got, repair }), { cause: error })
}

export function isBucketError(error: unknown): error is BucketError {
  return error instanceof Error && error.name === 'BucketError'
}

/** An answer that says no, with fields of its own; nothing was done. */
export function refusedAnswer(refused: Refusal, fields: RawHeaders = []): StoreAnswer {
  const { status } = refused
  const document = problemDocument(refused, { status, ran: false, receipt: undefined })
  const body = Buffer.from(`${JSON.stringify(document)}\n`)
  const type = ['content-type', 'application/problem+json', 'content-length', `${body.length}`]
  return { status, headers: [...type, ...fields], body }
}

export function bucketUnknown(name: string): Refusal {
  return refusal('not_found', 'bucket', {
    got: `no bucket \`${name.slice(0, 64)}\``,
    repair: 'name a bucket of the configuration',
  })
}

export function objectUnknown(): Refusal {
  const repair = 'list the bucket for what there is'
  return refusal('not_found', 'key', { got: 'a key without an object', repair })
}

export function otherState(): Refusal {
  return refusal('precondition_failed', 'conditions', {
    got: 'an object in another state, or none',
    repair: 'read the object, and send the etag that it has now',
  })
}
