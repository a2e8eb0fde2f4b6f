import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import { readBody } from './site.ts'
import type { Call, Site } from './site.ts'

const SECRET_ACCESS_KEY = process.env['RIG_KEY'] ?? ''
const BUCKET = 'rig-bucket'

interface Stored {
  readonly body: Buffer
  /** Content type and what the client calls `x-amz-meta-…`. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * An object store with one bucket, in its path and its virtual-host form. It takes nothing that is not signed with its
 * key, body and checksum included, and decodes `aws-chunked`: what a gateway breaks of either, it refuses.
 */
export function createS3(): Site {
  const objects = new Map<string, Stored>()
  return {
    name: 's3',
    async handle(call) {
      const body = await readBody(call.request)
      const wrong = signatureFault(call.request, body)
      if (wrong !== undefined) return sendFault(call, 403, wrong)
      const key = keyOf(call.url)
      if (key === '') return list(call, objects)
      if (call.request.method === 'PUT') return put(call, objects, { key, body })
      if (call.request.method === 'DELETE') objects.delete(key)
      return get(call, objects.get(key))
    },
  }
}

/** The object's name, empty for the bucket itself. */
function keyOf(url: URL): string {
  const path = url.pathname.slice(1)
  if (url.hostname.startsWith(`${BUCKET}.`)) return path
  return path.replace(new RegExp(`^${BUCKET}/?`), '')
}

function put(
  { request, response }: Call,
  objects: Map<string, Stored>,
  { key, body }: { readonly key: string; readonly body: Buffer },
): void {
  const plain = isChunked(request) ? decodeChunked(request, body) : body
  if (plain === undefined) return sendFault({ response }, 400, 'BadDigest')
  const kept = Object.entries(request.headers).filter(([name]) => name.startsWith('x-amz-meta-'))
  objects.set(key, { body: plain, headers: Object.fromEntries(kept) as Record<string, string> })
  response.writeHead(200, { etag: etagOf(plain), 'content-length': 0 }).end()
}

function get({ request, response }: Call, stored: Stored | undefined): void {
  if (request.method === 'DELETE') return void response.writeHead(204).end()
  if (stored === undefined) return sendFault({ response }, 404, 'NoSuchKey')
  response.writeHead(200, {
    ...stored.headers,
    'content-type': 'binary/octet-stream',
    'content-length': stored.body.length,
    'last-modified': new Date().toUTCString(),
    etag: etagOf(stored.body),
  })
  response.end(request.method === 'HEAD' ? undefined : stored.body)
}

function list({ request, response }: Call, objects: ReadonlyMap<string, Stored>): void {
  const contents = [...objects].map(
    ([key, { body }]) =>
      `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>` +
      `<ETag>${etagOf(body)}</ETag><Size>${body.length}</Size></Contents>`,
  )
  const text =
    `<?xml version="1.0"?><ListBucketResult><Name>${BUCKET}</Name><KeyCount>${objects.size}</KeyCount>` +
    `<IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`
  response.writeHead(200, { 'content-type': 'application/xml' })
  response.end(request.method === 'HEAD' ? undefined : text)
}

function sendFault({ response }: Pick<Call, 'response'>, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

function etagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`
}

/** A field of the request; its lines joined. */
function field(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? '')
}

/** The code of what is wrong with the signature (AWS Signature Version 4), or undefined where it holds. */
function signatureFault(request: IncomingMessage, body: Buffer): string | undefined {
  const [, , scope = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      field(request, 'authorization'),
    ) ?? []
  if (signature === '') return 'AccessDenied'
  const payload = field(request, 'x-amz-content-sha256')
  const isHash = /^\w{64}$/.test(payload)
  if (isHash && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const pairs = query.split('&').filter((pair) => pair !== '')
  const canonical = [
    request.method,
    path,
    pairs
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .toSorted()
      .join('&'),
    ...signed.split(';').map((name) => `${name}:${field(request, name).trim()}`),
    '',
    signed,
    payload,
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', field(request, 'x-amz-date'), scope, sha256(canonical)]
  const key = scope.split('/').reduce<Buffer>(mac, Buffer.from(`AWS4${SECRET_ACCESS_KEY}`))
  const own = mac(key, toSign.join('\n'))
  return timingSafeEqual(own, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex')
}

function isChunked(request: IncomingMessage): boolean {
  return field(request, 'content-encoding').includes('aws-chunked')
}

/** The body inside of `aws-chunked`; undefined where its length or the checksum in its trailer is wrong. */
function decodeChunked(request: IncomingMessage, body: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, end).toString('latin1'), 16)
    at = end + 2
    if (!(size > 0)) break
    chunks.push(body.subarray(at, at + size))
    at += size + 2
  }
  const plain = Buffer.concat(chunks)
  if (plain.length !== Number(field(request, 'x-amz-decoded-content-length'))) return undefined
  const trailer = body.subarray(at).toString('latin1').trim()
  return checksums(plain).includes(trailer) ? plain : undefined
}

function checksums(body: Buffer): readonly string[] {
  const crc = Buffer.alloc(4)
  crc.writeUInt32BE(crc32(body))
  const sha = createHash('sha256').update(body).digest('base64')
  return [`x-amz-checksum-crc32:${crc.toString('base64')}`, `x-amz-checksum-sha256:${sha}`]
}
