import { ChunkDecoder, parseAnswerHead } from '../../../catalog/index.ts'
import type { AnswerHead } from '../../../catalog/index.ts'
import { valuesOf } from '../framing.ts'

/** What a reader makes of the bytes. */
export interface AnswerSink {
  /** A 1xx answer. */
  onInterim(head: AnswerHead): void
  onHead(head: AnswerHead): void
  onBody(piece: Buffer): void
  /** The answer is whole; `left` bytes behind it belong to nothing. */
  onWhole(left: number): void
  /** What came is no answer that can be trusted; the connection must not be used any more. */
  onInvalid(got: string): void
}

const MAX_HEAD_BYTES = 65_536
const BEGINNING = 'HTTP/1.'
const BROKEN_LINE = /(?:^|[^\r])\n|\r[^\n]/
const END_OF_HEAD = '\r\n\r\n'
const NO_FIELDS: readonly string[] = []

type Body =
  | { readonly kind: 'none' | 'close' }
  | { readonly kind: 'length'; left: number }
  | { readonly kind: 'chunks'; readonly decoder: ChunkDecoder }

/** Reads one answer from a connection, strictly, in whatever pieces it comes (RFC 9112, 4 to 7). */
export class AnswerReader {
  readonly #method: string
  readonly #sink: AnswerSink
  #head = ''
  #body: Body | undefined
  #keepAlive = false
  #over = false

  constructor(method: string, sink: AnswerSink) {
    this.#method = method
    this.#sink = sink
  }

  /** Whether the connection may serve another request, as far as the answer says. */
  get keepAlive(): boolean {
    return this.#keepAlive
  }

  get trailers(): readonly string[] {
    return this.#body?.kind === 'chunks' ? this.#body.decoder.trailers : NO_FIELDS
  }

  push(bytes: Buffer): void {
    let rest = bytes
    while (!this.#over && this.#body === undefined) {
      const behind = this.#readHead(rest)
      if (behind === undefined) return
      rest = behind
    }
    if (!this.#over && this.#body !== undefined) this.#readBody(this.#body, rest)
  }

  /** The connection ended. False where the answer was not whole by then. */
  end(): boolean {
    if (this.#over || this.#body?.kind !== 'close') return this.#over
    this.#finish(0)
    return true
  }

  /** Gives what is behind the head, or undefined where it is not whole yet. */
  #readHead(bytes: Buffer): Buffer | undefined {
    const whole = this.#head === ''
    const from = whole ? 0 : Math.max(0, this.#head.length - END_OF_HEAD.length + 1)
    const text =
      this.#head + bytes.toString('latin1', 0, Math.min(bytes.length, MAX_HEAD_BYTES + 4))
    const end = text.indexOf(END_OF_HEAD, from)
    if (end > MAX_HEAD_BYTES || (end < 0 && text.length > MAX_HEAD_BYTES))
      return this.#invalid('more than `65536` bytes of head')
    if (!text.startsWith(BEGINNING.slice(0, text.length))) return this.#invalid('no HTTP/1')
    if (end < 0) {
      // It cannot become a head any more, so that nobody waits for its end.
      if (BROKEN_LINE.test(text)) return this.#invalid('a broken head')
      this.#head = text
      return undefined
    }
    const behind = bytes.subarray(end + END_OF_HEAD.length - this.#head.length)
    this.#head = ''
    const head = parseAnswerHead(text.slice(0, end))
    if (head === undefined) return this.#invalid('a broken head')
    this.#takeHead(head)
    return this.#over ? undefined : behind
  }

  #takeHead(head: AnswerHead): void {
    if (head.status === 101) return void this.#invalid('status `101` without having been asked')
    if (head.status < 100) return void this.#invalid(`status \`${head.status}\``)
    if (head.status < 200) return this.#sink.onInterim(head)
    const body = bodyOf(head, this.#method)
    if (typeof body === 'string') return void this.#invalid(body)
    this.#keepAlive = body.kind !== 'close' && mayServeOn(head) && !bearsForbiddenBody(head)
    this.#body = body
    this.#sink.onHead(head)
  }

  #readBody(body: Body, bytes: Buffer): void {
    switch (body.kind) {
      case 'none':
        return this.#finish(bytes.length)
      case 'close':
        if (bytes.length > 0) this.#sink.onBody(bytes)
        return
      case 'length':
        return this.#readLength(body, bytes)
      case 'chunks':
        return this.#readChunks(body.decoder, bytes)
    }
  }

  #readLength(body: { left: number }, bytes: Buffer): void {
    const mine = bytes.length <= body.left ? bytes : bytes.subarray(0, body.left)
    body.left -= mine.length
    if (mine.length > 0) this.#sink.onBody(mine)
    if (body.left === 0) this.#finish(bytes.length - mine.length)
  }

  #readChunks(decoder: ChunkDecoder, bytes: Buffer): void {
    const read = decoder.push(bytes, (from, to) => this.#sink.onBody(bytes.subarray(from, to)))
    if (read < 0) return void this.#invalid('broken chunks')
    if (decoder.done) this.#finish(bytes.length - read)
  }

  #finish(left: number): void {
    this.#over = true
    this.#sink.onWhole(left)
  }

  #invalid(got: string): undefined {
    this.#over = true
    this.#keepAlive = false
    this.#sink.onInvalid(got)
  }
}

/** How the body ends (RFC 9112, 6.3), or what is wrong with what the head says of it. */
function bodyOf(head: AnswerHead, method: string): Body | string {
  const { status, headers } = head
  const codings = valuesOf(headers, 'transfer-encoding')
  const lengths = valuesOf(headers, 'content-length')
  const wrong = lengthFault(lengths, codings) ?? codingFault(head, codings)
  if (wrong !== undefined) return wrong
  if (method === 'HEAD' || status === 204 || status === 304) return { kind: 'none' }
  if (codings.length > 0) return { kind: 'chunks', decoder: new ChunkDecoder() }
  const [length] = lengths
  if (length === undefined) return { kind: 'close' }
  return length === '0' ? { kind: 'none' } : { kind: 'length', left: Number(length) }
}

function lengthFault(lengths: readonly string[], codings: readonly string[]): string | undefined {
  const [length] = lengths
  if (length === undefined) return undefined
  if (lengths.length > 1) return `${lengths.length} \`content-length\` fields`
  if (!/^(?:0|[1-9]\d{0,14})$/.test(length)) return `content-length \`${length}\``
  return codings.length > 0 ? '`content-length` and `transfer-encoding` at once' : undefined
}

function codingFault({ version }: AnswerHead, codings: readonly string[]): string | undefined {
  const [coding] = codings
  if (coding === undefined) return undefined
  if (codings.length > 1 || coding.toLowerCase() !== 'chunked')
    return `transfer-encoding \`${codings.join(', ')}\``
  return version === '1.0' ? 'chunks in HTTP/1.0' : undefined
}

/** A 204 has no body: one that announces it may send it all the same, as the beginning of the next answer. */
function bearsForbiddenBody({ status, headers }: AnswerHead): boolean {
  return (
    status === 204 &&
    (valuesOf(headers, 'transfer-encoding').length > 0 ||
      valuesOf(headers, 'content-length').some((length) => length !== '0'))
  )
}

function mayServeOn({ version, headers }: AnswerHead): boolean {
  const options = valuesOf(headers, 'connection').join(',').toLowerCase()
  if (options === '') return version === '1.1'
  const tokens = options.split(',').map((token) => token.trim())
  return !tokens.includes('close') && (version === '1.1' || tokens.includes('keep-alive'))
}
