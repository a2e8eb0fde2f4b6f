import { createByteBuffer, type ByteBuffer } from './bytes.ts'
import {
  CLOSE,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  KIND,
  LINE_FEED,
  LITERAL,
  NUMBER,
  OPEN,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from './classes.ts'
import { ProjectionFault } from './fault.ts'
import { StringToken } from './string-token.ts'
import { LiteralToken, NumberToken } from './tokens.ts'
import { BYTES, PASS, WALK, type Visit, type Visitor } from './visitor.ts'

export interface ScannerOptions {
  /** Several documents, one a line, instead of one. */
  readonly lines: boolean
}

/** Depth in parts that are walked or copied: readers of the result recurse. */
const MAX_DEPTH = 512
const MAX_DEPTH_PASSED = 100_000

// What may come next between tokens: a set of these.
const VALUE_NEXT = 1
const NAME_NEXT = 2
const CLOSE_NEXT = 4
const COLON_NEXT = 8
const COMMA_NEXT = 16
/** No document has begun, or none on this line. */
const DOCUMENT = 32
/** The document is over, and its line must be too. */
const LINE_END = 64

const IN_OBJECT = 8
const NOTHING = new Uint8Array(0)

type Token = StringToken | NumberToken | LiteralToken

/** Validates JSON byte by byte, in chunks cut anywhere, and tells a visitor of it. */
export class Scanner {
  readonly #visitor: Visitor
  readonly #lines: boolean
  readonly #string = new StringToken()
  readonly #number = new NumberToken()
  readonly #literal = new LiteralToken()
  /** Of each open container: its Visit bits, and IN_OBJECT. */
  readonly #stack: number[] = []
  #expect = VALUE_NEXT | DOCUMENT
  /** The token that the chunk's end cut. */
  #token: Token | undefined
  #isNaming = false
  /** Visit of the scalar at hand. */
  #scalar: Visit = PASS
  /** How many containers are open inside the innermost walked one. */
  #passed = 0
  /** How many open values asked for their bytes. */
  #taking = 0
  #takenFrom = 0
  #chunk: Uint8Array = NOTHING
  readonly #name = { bytes: NOTHING as Uint8Array, from: 0, to: 0, escaped: false }
  /** The pieces of a name that the chunk's end cut. */
  #cutName: ByteBuffer | undefined
  /** Bytes read before this chunk. */
  offset = 0

  constructor(visitor: Visitor, { lines }: ScannerOptions) {
    this.#visitor = visitor
    this.#lines = lines
  }

  /** Throws ProjectionFault where the bytes cannot be part of a document. */
  push(bytes: Uint8Array): void {
    this.#chunk = bytes
    this.#takenFrom = 0
    const { length } = bytes
    let at = this.#token === undefined ? 0 : this.#resume(this.#token)
    while (at < length) {
      const byte = bytes[at]!
      switch (KIND[byte]!) {
        case SPACE:
          at++
          break
        case QUOTE:
          at = this.#expect & NAME_NEXT ? this.#readName(at) : this.#readString(at)
          break
        case COMMA:
          this.#comma(at++)
          break
        case COLON:
          if (this.#expect !== COLON_NEXT) this.#fail(at)
          this.#expect = VALUE_NEXT
          at++
          break
        case NUMBER:
          at = this.#readNumber(byte, at)
          break
        case LITERAL:
          at = this.#readLiteral(byte, at)
          break
        case OPEN:
          this.#open(byte, at++)
          break
        case CLOSE:
          this.#close(byte, at++)
          break
        case LINE_FEED:
          if (this.#lines) this.#endLine(at)
          at++
          break
        default:
          this.#fail(at)
      }
    }
    this.#keep()
    this.offset += length
  }

  /** Throws ProjectionFault where the document is not whole. */
  end(): void {
    this.#chunk = NOTHING
    this.#takenFrom = 0
    const atRoot = this.#stack.length === 0
    if (this.#token === this.#number && atRoot && this.#number.whole()) this.#endScalar(0)
    const done = this.#expect === 0 || (this.#lines && atRoot)
    if (!done || this.#token !== undefined) throw new ProjectionFault('unexpected_end', this.offset)
  }

  #fail(at: number): never {
    throw new ProjectionFault('unexpected_byte', this.offset + at)
  }

  /** Gives on the bytes of open values up to `to`. */
  #flush(to: number): void {
    if (to > this.#takenFrom) this.#visitor.bytes(this.#chunk, this.#takenFrom, to)
    this.#takenFrom = to
  }

  /** The chunk goes back to its owner: what is still needed of it is copied. */
  #keep(): void {
    const { length } = this.#chunk
    if (this.#taking > 0) this.#flush(length)
    if (this.#passed > 0) return
    const name = this.#name
    if (this.#isNaming) {
      this.#cutName ??= createByteBuffer()
      this.#cutName.append(this.#chunk, name.from, length)
      name.from = 0
    } else if (name.bytes === this.#chunk) {
      const isWaiting = this.#expect === COLON_NEXT || this.#expect === VALUE_NEXT
      this.#setName(isWaiting ? this.#chunk.slice(name.from, name.to) : NOTHING)
    }
  }

  #setName(bytes: Uint8Array): void {
    this.#name.bytes = bytes
    this.#name.from = 0
    this.#name.to = bytes.length
  }

  #resume(token: Token): number {
    const end = token.scan(this.#chunk, 0, this.offset)
    if (end < 0) return this.#chunk.length
    if (this.#isNaming) this.#endCutName(end)
    else this.#endScalar(end)
    return end
  }

  #startValue(first: number, at: number): Visit {
    if (this.#passed > 0) return PASS
    if (this.#taking > 0) this.#flush(at)
    const top = this.#stack.length - 1
    if (top >= 0 && this.#stack[top]! & IN_OBJECT) this.#visitor.name(this.#name)
    const visit = this.#visitor.start(first)
    if (visit & BYTES && this.#taking++ === 0) this.#takenFrom = at
    return visit
  }

  #endValue(visit: Visit, at: number): void {
    if (this.#taking > 0) this.#flush(at)
    if (visit & BYTES) this.#taking--
    this.#visitor.end()
  }

  #afterValue(): void {
    if (this.#stack.length > 0) this.#expect = COMMA_NEXT | CLOSE_NEXT
    else this.#expect = this.#lines ? LINE_END : 0
  }

  #startScalar(first: number, at: number): void {
    if (!(this.#expect & VALUE_NEXT)) this.#fail(at)
    this.#scalar = this.#startValue(first, at)
  }

  #endScalar(at: number): void {
    this.#token = undefined
    if (this.#scalar !== PASS) this.#endValue(this.#scalar, at)
    this.#afterValue()
  }

  #readString(at: number): number {
    this.#startScalar(0x22, at)
    this.#string.start()
    return this.#behind(this.#string, this.#string.scan(this.#chunk, at + 1, this.offset))
  }

  #readNumber(first: number, at: number): number {
    this.#startScalar(first, at)
    this.#number.start(first)
    return this.#behind(this.#number, this.#number.scan(this.#chunk, at + 1, this.offset))
  }

  #readLiteral(first: number, at: number): number {
    this.#startScalar(first, at)
    this.#literal.start(first)
    return this.#behind(this.#literal, this.#literal.scan(this.#chunk, at + 1, this.offset))
  }

  #behind(token: Token, end: number): number {
    if (end < 0) {
      this.#token = token
      return this.#chunk.length
    }
    this.#endScalar(end)
    return end
  }

  #readName(at: number): number {
    this.#string.start()
    const end = this.#string.scan(this.#chunk, at + 1, this.offset)
    const name = this.#name
    if (this.#passed === 0) {
      name.bytes = this.#chunk
      name.from = at
      name.to = end
      name.escaped = this.#string.escaped
    }
    this.#expect = COLON_NEXT
    if (end >= 0) return end
    this.#token = this.#string
    this.#isNaming = true
    return this.#chunk.length
  }

  #endCutName(end: number): void {
    this.#token = undefined
    this.#isNaming = false
    if (this.#passed > 0) return
    this.#cutName!.append(this.#chunk, 0, end)
    this.#setName(this.#cutName!.take())
    this.#name.escaped = this.#string.escaped
  }

  #open(byte: number, at: number): void {
    if (!(this.#expect & VALUE_NEXT)) this.#fail(at)
    const visit = this.#startValue(byte, at)
    if (this.#passed > 0 || !(visit & WALK)) this.#passed++
    this.#stack.push(byte === OPEN_OBJECT ? visit | IN_OBJECT : visit)
    const limit = this.#passed === 0 || this.#taking > 0 ? MAX_DEPTH : MAX_DEPTH_PASSED
    if (this.#stack.length > limit) throw new ProjectionFault('too_deep', this.offset + at)
    this.#expect = byte === OPEN_OBJECT ? NAME_NEXT | CLOSE_NEXT : VALUE_NEXT | CLOSE_NEXT
  }

  #close(byte: number, at: number): void {
    if (!(this.#expect & CLOSE_NEXT)) this.#fail(at)
    const top = this.#stack.pop()!
    if ((byte === CLOSE_OBJECT) !== ((top & IN_OBJECT) !== 0)) this.#fail(at)
    if (this.#passed > 0) this.#passed--
    const visit = top & ~IN_OBJECT
    if (visit !== PASS) this.#endValue(visit, at + 1)
    this.#afterValue()
  }

  #comma(at: number): void {
    if (!(this.#expect & COMMA_NEXT)) this.#fail(at)
    this.#expect = this.#stack[this.#stack.length - 1]! & IN_OBJECT ? NAME_NEXT : VALUE_NEXT
  }

  #endLine(at: number): void {
    if (this.#expect & LINE_END) this.#expect = VALUE_NEXT | DOCUMENT
    else if (!(this.#expect & DOCUMENT)) this.#fail(at)
  }
}
