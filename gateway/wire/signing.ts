import { createHmac } from 'node:crypto'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { HmacPart, HmacUse, KeyUse, SigV4Use } from '../config/key-types.ts'
import { refusal } from '../refusal.ts'
import { getHeader, removeHeaders, setHeader } from './headers.ts'
import { amzDate, isS3, sha256, sigV4Authorization } from './sigv4.ts'

/** A request that is complete but for its signature. */
export interface Signable {
  readonly method: string
  /** Path and query as they are sent. */
  readonly path: string
  readonly headers: RawHeaders
  /** The body as it is sent; undefined where there is none, or where nothing that is signed needs it. */
  readonly body: Buffer | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

const NO_BYTES = Buffer.alloc(0)

/** Sets the header with the HMAC over the parts that the key's message names, and the one with the time. */
export function signHmac(request: Signable, use: HmacUse, key: string): RawHeaders {
  const { header, format, timestampHeader } = use
  const timestamp = String(
    use.timestampUnit === 'ms' ? request.now : Math.floor(request.now / 1000),
  )
  const mac = createHmac(use.algorithm, key)
  for (const piece of use.message)
    mac.update('text' in piece ? piece.text : partOf(piece.part, request, timestamp))
  const signature = mac.digest(use.encoding)
  const timed =
    timestampHeader === undefined
      ? request.headers
      : setHeader(request.headers, timestampHeader, timestamp)
  return setHeader(
    timed,
    header,
    format.replace('{}', () => signature),
  )
}

function partOf(part: HmacPart, request: Signable, timestamp: string): string | Buffer {
  const { method, path, headers, body = NO_BYTES } = request
  const mark = path.indexOf('?')
  const parts: Readonly<Record<HmacPart, () => string | Buffer>> = {
    method: () => method,
    host: () => getHeader(headers, 'host') ?? '',
    path: () => (mark < 0 ? path : path.slice(0, mark)),
    query: () => (mark < 0 ? '' : path.slice(mark + 1)),
    target: () => path,
    timestamp: () => timestamp,
    body: () => body,
    body_sha256: () => sha256(body),
  }
  return parts[part]()
}

/** Whether the body has to be read before the call can be signed. */
export function signsBody(use: KeyUse): boolean {
  if (use.kind === 'sigv4') return !isS3(use.service)
  if (use.kind !== 'hmac') return false
  return use.message.some((piece) => 'part' in piece && piece.part.startsWith('body'))
}

interface AwsKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

/** Of the head those fields that upstreams read, and nothing that a hop on the way may change. */
const SIGNED = /^(?:host|content-type|content-md5|range|x-amz-.*)$/
const PAYLOAD = 'x-amz-content-sha256'

/** Takes out what the client signed with its own credentials and signs anew. */
export function signSigV4(request: Signable, use: SigV4Use, key: AwsKey): RawHeaders {
  const { region, service } = use
  const { sessionToken, ...credentials } = key
  const payload = payloadOf(request, service)
  let headers = removeHeaders(request.headers, ['authorization', 'x-amz-security-token'])
  headers = setHeader(headers, 'X-Amz-Date', amzDate(request.now))
  if (sessionToken !== undefined) headers = setHeader(headers, 'X-Amz-Security-Token', sessionToken)
  if (isS3(service)) headers = setHeader(headers, PAYLOAD, payload)
  const signed = headers.filter((_text, at) =>
    SIGNED.test((headers[at - (at % 2)] as string).toLowerCase()),
  )
  const authorization = sigV4Authorization(
    { ...request, headers: signed, payload },
    { ...credentials, region, service, now: request.now },
  )
  return [...headers, 'Authorization', authorization]
}

/** S3 takes a body without its hash, so that it can be streamed; a hash that the client gave stays in force. */
function payloadOf({ headers, body = NO_BYTES }: Signable, service: string): string {
  if (!isS3(service)) return sha256(body)
  const given = getHeader(headers, PAYLOAD) ?? 'UNSIGNED-PAYLOAD'
  if (!/^STREAMING-(?!UNSIGNED-)/.test(given)) return given
  throw refusal('not_supported', PAYLOAD, {
    got: `${given}, whose pieces are signed with the client’s own credentials`,
    repair: 'send the body unsigned or with one hash',
  })
}
