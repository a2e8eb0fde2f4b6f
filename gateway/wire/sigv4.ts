import { createHash, createHmac } from 'node:crypto'
import type { RawHeaders } from '../../adapters/upstream/port.ts'

/** What a signature is made with, and what it holds for. */
export interface SigV4Scope {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly service: string
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface SigV4Request {
  readonly method: string
  /** Path and query as they are sent. */
  readonly path: string
  /** The fields that are signed, `Host` and the date among them. */
  readonly headers: RawHeaders
  /** Hex SHA-256 of the body, or a word that stands for it (`UNSIGNED-PAYLOAD`). */
  readonly payload: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/**
 * The value of Authorization after AWS Signature Version 4: HMAC-SHA256 over a canonical form of the request. See
 * "AWS Signature Version 4 for API requests" in the IAM user guide; S3 does not encode paths a second time.
 */
export function sigV4Authorization(request: SigV4Request, scope: SigV4Scope): string {
  const { accessKeyId, secretAccessKey, region, service, now } = scope
  const fields = canonicalFields(request.headers)
  const signed = fields.map(([name]) => name).join(';')
  const canonical = [
    request.method,
    ...canonicalTarget(request.path, service),
    ...fields.map(([name, value]) => `${name}:${value}`),
    '',
    signed,
    request.payload,
  ].join('\n')
  const time = amzDate(now)
  const credential = [time.slice(0, 8), region, service, 'aws4_request']
  const toSign = [ALGORITHM, time, credential.join('/'), sha256(canonical)].join('\n')
  const key = credential.reduce<string | Buffer>(mac, `AWS4${secretAccessKey}`)
  const signature = mac(key, toSign).toString('hex')
  return `${ALGORITHM} Credential=${accessKeyId}/${credential.join('/')}, SignedHeaders=${signed}, Signature=${signature}`
}

/** `20150830T123600Z`. */
export function amzDate(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

function mac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Fields by name, in lower case and sorted; lines of one name joined, runs of spaces made one. */
function canonicalFields(headers: RawHeaders): readonly (readonly [string, string])[] {
  const values = new Map<string, string[]>()
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = (headers[at] as string).toLowerCase()
    const value = (headers[at + 1] as string).trim().replaceAll(/ +/g, ' ')
    values.set(name, [...(values.get(name) ?? []), value])
  }
  return [...values]
    .map(([name, lines]) => [name, lines.join(',')] as const)
    .toSorted(([one], [other]) => byCode(one, other))
}

function canonicalTarget(target: string, service: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark + 1)
  const spelled = isS3(service)
    ? path.split('/').map((segment) => encoded(decoded(segment)))
    : path
        .replaceAll(/\/{2,}/g, '/')
        .split('/')
        .map(encoded)
  return [spelled.join('/'), canonicalQuery(query)]
}

/** S3 and what speaks like it (`s3-outposts`, `s3-object-lambda`). */
export function isS3(service: string): boolean {
  return service === 's3' || service.startsWith('s3-')
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const mark = pair.indexOf('=')
      const [name, value] = mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)]
      return [encoded(decoded(name)), encoded(decoded(value))] as const
    })
    .toSorted(([name, value], [other, its]) => byCode(name, other) || byCode(value, its))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function byCode(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** A broken escape stays as it was written. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Everything but RFC 3986's unreserved characters. */
function encoded(text: string): string {
  const escape = (symbol: string) => `%${symbol.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, escape)
}
