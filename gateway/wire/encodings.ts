import { pipeline, Readable, Transform } from 'node:stream'
import type { TransformCallback } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { getAllHeaders, getHeader, removeHeaders, replaceHeader } from './headers.ts'

/** Thrown where an answer's coding can not be looked into, or does not hold what it says. */
export class EncodingFault extends Error {
  readonly code: 'encoding_not_inspectable' | 'upstream_invalid'

  constructor(code: EncodingFault['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'EncodingFault'
    this.code = code
  }
}

interface DecodeLimits {
  /** Most bytes that come out. 16 GiB by default. */
  readonly maxBytes?: number
  /** Most bytes that come out for one that went in, looked at once 16 MiB came out. 1,100 by default, gzip's own most. */
  readonly maxRatio?: number
}

const MAX_BYTES = 16 * 2 ** 30
const MAX_RATIO = 1_100
/** Below this a high ratio is a small file of zeros, not an attack. */
const RATIO_FROM = 16 * 2 ** 20
/** More codings on top of each other than anybody sends, fewer than cost us. */
const MAX_CODINGS = 3

type Coding = 'gzip' | 'deflate' | 'br'

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
}

/** Digests of the coded bytes; they say nothing true of the decoded ones. */
export const DIGESTS: readonly string[] = ['content-md5', 'digest', 'content-digest', 'repr-digest']

/** What the upstream is asked for where the answer must be looked into. */
const ASKED = ['gzip', 'br']

/**
 * The value of Accept-Encoding to send in place of the client's: of the codings that it accepts those that can be
 * looked into. The client gets identity either way.
 */
export function readableCodings(accepted: string): string {
  const weights = new Map(accepted.split(',').map(weightOf))
  const any = weights.get('*') ?? 0
  const asked = ASKED.filter((name) => (weights.get(name) ?? any) > 0)
  return asked.length === 0 ? 'identity' : asked.join(', ')
}

/** One item of Accept-Encoding: `gzip;q=0.5`. */
function weightOf(item: string): readonly [name: string, weight: number] {
  const [name = '', weight = 'q=1'] = item.split(';').map((part) => part.trim().toLowerCase())
  return [name, Number(weight.slice(2))]
}

/**
 * Takes the content coding off an answer, so that what is in it can be redacted and projected; the client gets
 * identity. An answer without a coding stays as it is. Throws an EncodingFault for a coding that is not known or a
 * part of a coded answer; broken, cut and exploding bodies fail with one through the stream.
 * Not for answers to HEAD, whose fields describe a body that is not there.
 */
export function readableBody(
  body: Readable,
  headers: RawHeaders,
  limits?: DecodeLimits,
): { readonly headers: RawHeaders; readonly body: Readable }
export function readableBody(
  body: Readable | Buffer,
  headers: RawHeaders,
  limits?: DecodeLimits,
): { readonly headers: RawHeaders; readonly body: Readable | Buffer }
export function readableBody(
  body: Readable | Buffer,
  headers: RawHeaders,
  limits: DecodeLimits = {},
): { readonly headers: RawHeaders; readonly body: Readable | Buffer } {
  const codings = codingsOf(headers)
  if (codings.length === 0) return { headers, body }
  if (getHeader(headers, 'content-range') !== undefined) {
    throw notInspectable(`a part of a body in ${codings.join(', ')}`)
  }
  return {
    headers: identityHeaders(headers),
    body: codings.reduceRight<Readable>(
      (source, coding) => decodeOne(source, coding, limits),
      Buffer.isBuffer(body) ? Readable.from([body]) : body,
    ),
  }
}

function codingsOf(headers: RawHeaders): readonly Coding[] {
  const names = getAllHeaders(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > MAX_CODINGS) throw notInspectable(names.join(', '))
  return names.map((name) => {
    const coding = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined
    if (coding === undefined) throw notInspectable(name)
    return coding
  })
}

function notInspectable(got: string): EncodingFault {
  return new EncodingFault(
    'encoding_not_inspectable',
    `the answer's content-encoding is \`${got}\`; let the upstream answer in gzip, deflate, br or identity`,
  )
}

function identityHeaders(headers: RawHeaders): RawHeaders {
  const left = removeHeaders(headers, ['content-encoding', 'content-length', ...DIGESTS])
  // The bytes are others than the upstream's, the meaning is the same: that is a weak validator (RFC 9110 8.8.1).
  return replaceHeader(left, 'etag', (tag) => (tag.startsWith('W/') ? tag : `W/${tag}`))
}

/** Takes one coding off. The decoder is made at the first byte, since an empty body is not a broken one. */
class Decoder extends Transform {
  readonly #coding: Coding
  readonly #maxBytes: number
  readonly #maxRatio: number
  #inner: Transform | undefined
  #bytesIn = 0
  #bytesOut = 0

  constructor(coding: Coding, { maxBytes = MAX_BYTES, maxRatio = MAX_RATIO }: DecodeLimits) {
    super()
    this.#coding = coding
    this.#maxBytes = maxBytes
    this.#maxRatio = maxRatio
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, proceed: TransformCallback): void {
    this.#bytesIn += chunk.length
    this.#inner ??= this.#start(chunk)
    this.#inner.write(chunk, () => proceed())
  }

  override _flush(proceed: TransformCallback): void {
    if (this.#inner === undefined) return proceed()
    this.#inner.once('end', () => proceed())
    this.#inner.end()
  }

  override _read(size: number): void {
    this.#inner?.resume()
    super._read(size)
  }

  override _destroy(error: Error | null, proceed: (error?: Error | null) => void): void {
    this.#inner?.destroy()
    proceed(error)
  }

  #start(first: Buffer): Transform {
    const inner = decoderFor(this.#coding, first)
    inner.on('data', (chunk: Buffer) => this.#take(chunk, inner))
    inner.on('error', (error) => this.#fail(`is broken: \`${error.message}\``, error))
    return inner
  }

  #take(chunk: Buffer, inner: Transform): void {
    this.#bytesOut += chunk.length
    if (this.#bytesOut > this.#maxBytes) return this.#fail(`grew over \`${this.#maxBytes}\` bytes`)
    const bomb = this.#bytesOut > RATIO_FROM && this.#bytesOut / this.#bytesIn > this.#maxRatio
    if (bomb) return this.#fail(`grew more than \`${this.#maxRatio}\` times`)
    if (!this.push(chunk)) inner.pause()
  }

  #fail(why: string, cause?: unknown): void {
    const text = `the answer's ${this.#coding} body ${why}; check the upstream`
    this.destroy(new EncodingFault('upstream_invalid', text, cause))
  }
}

/** Ties the ends together: a fault of the source reaches the reader, and a reader that leaves ends the source. */
function decodeOne(source: Readable, coding: Coding, limits: DecodeLimits): Readable {
  const decoder = new Decoder(coding, limits)
  pipeline(source, decoder, () => {})
  return decoder
}

function decoderFor(coding: Coding, first: Buffer): Transform {
  if (coding === 'gzip') return createGunzip()
  if (coding === 'br') return createBrotliDecompress()
  // RFC 9110 8.4.1.2 means zlib's format, but bare deflate is common; zlib's first byte says 8 in its low half.
  return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()
}
