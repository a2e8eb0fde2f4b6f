import { createByteBuffer } from './bytes.ts'
import { isDigit } from './classes.ts'
import { ProjectionFault } from './fault.ts'
import { createStringToken } from './string-token.ts'
import { createLiteralToken, createNumberToken, type Token } from './tokens.ts'

/** What a visitor wants of a value: nothing, its parts, its bytes, or both. */
export const PASS = 0
export const WALK = 1
export const BYTES = 2
export type Visit = number

/** Hears of the values that it walks into. What it passes by is validated and nothing more. */
export interface Visitor {
  /** A member's name in a walked object: its bytes with quotes, and whether it has escapes. */
  name(text: Uint8Array, escaped: boolean): void
  /** A value begins; `first` is its first byte. */
  start(first: number): Visit
  /** The value of the last open `start` has ended. */
  end(): void
  /** Bytes of the values that asked for them, in order, each byte once. */
  bytes(chunk: Uint8Array, from: number, to: number): void
}

export interface ScannerOptions {
  /** Several documents, one a line, instead of one. */
  readonly lines: boolean
}

/** Validates JSON byte by byte, in chunks cut anywhere. */
export interface Scanner {
  push(chunk: Uint8Array): void
  end(): void
  /** Bytes read so far. */
  readonly offset: number
}

/** Depth in parts that are walked or copied: readers of the result recurse. */
const MAX_DEPTH = 512
const MAX_DEPTH_PASSED = 100_000

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const LINE_FEED = 0x0a

// What may come next between tokens: a set of these.
const VALUE = 1
const NAME = 2
const CLOSE = 4
const COLON_NEXT = 8
const COMMA_NEXT = 16
/** No document has begun, or none on this line. */
const DOCUMENT = 32
/** The document is over, and its line must be too. */
const LINE_END = 64

const IN_OBJECT = 4

export function createScanner(visitor: Visitor, options: ScannerOptions): Scanner {
  const stringToken = createStringToken()
  const numberToken = createNumberToken()
  const literalToken = createLiteralToken()
  const nameBytes = createByteBuffer()
  /** Of each open container: its Visit bits, and IN_OBJECT. */
  const stack: number[] = []
  let expect = VALUE | DOCUMENT
  let token: Token | undefined
  let naming = false
  /** Visit of the scalar at hand. */
  let scalar: Visit = PASS
  /** How many containers are open inside the innermost walked one. */
  let passed = 0
  /** How many open values asked for their bytes. */
  let taking = 0
  let takenFrom = 0
  let base = 0
  let chunk: Uint8Array = new Uint8Array(0)

  const heard = () => passed === 0
  const fail = (at: number): never => {
    throw new ProjectionFault('unexpected_byte', base + at)
  }
  const flush = (to: number) => {
    if (taking > 0 && to > takenFrom) visitor.bytes(chunk, takenFrom, to)
    takenFrom = to
  }
  const startValue = (first: number, at: number): Visit => {
    if (!heard()) return PASS
    flush(at)
    const visit = visitor.start(first)
    if (visit & BYTES) taking++
    return visit
  }
  const endValue = (visit: Visit, at: number) => {
    flush(at)
    if (visit & BYTES) taking--
    visitor.end()
  }
  const afterValue = () => {
    if (stack.length > 0) expect = COMMA_NEXT | CLOSE
    else expect = options.lines ? LINE_END : 0
  }
  const open = (byte: number, at: number) => {
    const visit = startValue(byte, at)
    if (!heard() || !(visit & WALK)) passed++
    stack.push(byte === OPEN_OBJECT ? visit | IN_OBJECT : visit)
    const limit = heard() || taking > 0 ? MAX_DEPTH : MAX_DEPTH_PASSED
    if (stack.length > limit) throw new ProjectionFault('too_deep', base + at)
    expect = byte === OPEN_OBJECT ? NAME | CLOSE : VALUE | CLOSE
  }
  const close = (byte: number, at: number) => {
    const top = stack.pop()!
    if ((byte === CLOSE_OBJECT) !== ((top & IN_OBJECT) !== 0)) fail(at)
    if (passed > 0) passed--
    if (heard()) endValue(top, at + 1)
    afterValue()
  }
  const startScalar = (byte: number, at: number) => {
    scalar = startValue(byte, at)
    if (byte === QUOTE) {
      stringToken.reset()
      token = stringToken
    } else if (byte === 0x2d || isDigit(byte)) {
      numberToken.start(byte)
      token = numberToken
    } else if (literalToken.start(byte)) token = literalToken
    else fail(at)
  }
  const startName = (at: number) => {
    naming = true
    stringToken.reset()
    token = stringToken
    nameBytes.truncate(0)
    if (heard()) nameBytes.append(chunk, at, at + 1)
  }
  const endToken = (at: number) => {
    token = undefined
    if (!naming) {
      if (heard()) endValue(scalar, at)
      afterValue()
      return
    }
    naming = false
    expect = COLON_NEXT
    if (heard()) visitor.name(nameBytes.copy(), stringToken.escaped)
  }
  const beginValue = (byte: number, at: number) => {
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) open(byte, at)
    else startScalar(byte, at)
  }
  const structural = (byte: number, at: number) => {
    if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && expect & CLOSE) close(byte, at)
    else if (expect & VALUE) beginValue(byte, at)
    else if (byte === QUOTE && expect & NAME) startName(at)
    else if (byte === COLON && expect & COLON_NEXT) expect = VALUE
    else if (byte === COMMA && expect & COMMA_NEXT) {
      expect = stack.at(-1)! & IN_OBJECT ? NAME : VALUE
    } else fail(at)
  }
  const space = (byte: number, at: number) => {
    if (byte !== LINE_FEED || !options.lines) return
    if (expect & LINE_END) expect = VALUE | DOCUMENT
    else if (!(expect & DOCUMENT)) fail(at)
  }

  return {
    get offset() {
      return base
    },
    push(bytes) {
      chunk = bytes
      takenFrom = 0
      let at = 0
      while (at < bytes.length) {
        if (token !== undefined) {
          const end = token.scan(bytes, at, base)
          if (naming && heard()) nameBytes.append(bytes, at, end < 0 ? bytes.length : end)
          if (end < 0) break
          at = end
          endToken(at)
          continue
        }
        const byte = bytes[at]!
        if (byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09) space(byte, at)
        else structural(byte, at)
        at++
      }
      flush(bytes.length)
      base += bytes.length
    },
    end() {
      chunk = new Uint8Array(0)
      takenFrom = 0
      if (token === numberToken && stack.length === 0 && numberToken.whole()) endToken(0)
      const done = expect === 0 || (options.lines && stack.length === 0)
      if (!done || token !== undefined) throw new ProjectionFault('unexpected_end', base)
    },
  }
}
