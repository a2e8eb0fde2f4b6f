import { utf8 } from '../text.ts'
import { ProjectionFault } from './fault.ts'

// Where a number stands; those from ZERO on are whole.
const BROKEN = 0
const MINUS = 1
const DOT = 2
const E = 3
const SIGN = 4
const ZERO = 5
const INTEGER = 6
const FRACTION = 7
const EXPONENT = 8
const STATES = 9

type NumberState = number

/** The state after each byte: of `state`, at `state << 8 | byte`; BROKEN where the number cannot go on so. */
const AFTER: Uint8Array = Uint8Array.from({ length: STATES << 8 }, (_, at) =>
  afterByte(at >> 8, at & 0xff),
)

function afterByte(state: NumberState, byte: number): NumberState {
  if (byte >= 0x30 && byte <= 0x39) return afterDigit(state, byte)
  if (byte === 0x2e) return state === ZERO || state === INTEGER ? DOT : BROKEN
  if ((byte | 0x20) === 0x65) return state >= ZERO && state !== EXPONENT ? E : BROKEN
  return (byte === 0x2b || byte === 0x2d) && state === E ? SIGN : BROKEN
}

function afterDigit(state: NumberState, byte: number): NumberState {
  if (state === MINUS) return byte === 0x30 ? ZERO : INTEGER
  if (state === DOT) return FRACTION
  if (state === E || state === SIGN) return EXPONENT
  return state === ZERO ? BROKEN : state
}

/**
 * A number, over as many chunks as it takes; its end shows only at the byte behind it, or at the end
 * of the document.
 */
export class NumberToken {
  #state: NumberState = MINUS

  /** Starts with the number's first byte. */
  start(first: number): void {
    this.#state = first === 0x2d ? MINUS : first === 0x30 ? ZERO : INTEGER
  }

  /** Whether what was read so far is a whole number. */
  whole(): boolean {
    return this.#state >= ZERO
  }

  /** The index behind the number, or -1 where the chunk ended first; `base` is the chunk's offset. */
  scan(chunk: Uint8Array, from: number, base: number): number {
    let state = this.#state
    for (let at = from; at < chunk.length; at++) {
      const next = AFTER[(state << 8) | chunk[at]!]!
      if (next === BROKEN) {
        if (state < ZERO) throw new ProjectionFault('unexpected_byte', base + at)
        return at
      }
      state = next
    }
    this.#state = state
    return -1
  }
}

const TRUE = utf8('true')
const FALSE = utf8('false')
const NULL = utf8('null')

/** `true`, `false` or `null`, over as many chunks as it takes. */
export class LiteralToken {
  #word = NULL
  #read = 0

  /** Starts with the literal's first byte: `t`, `f` or `n`. */
  start(first: number): void {
    this.#word = first === TRUE[0] ? TRUE : first === FALSE[0] ? FALSE : NULL
    this.#read = 1
  }

  /** The index behind the literal, or -1 where the chunk ended first; `base` is the chunk's offset. */
  scan(chunk: Uint8Array, from: number, base: number): number {
    for (let at = from; at < chunk.length; at++) {
      if (chunk[at] !== this.#word[this.#read]) {
        throw new ProjectionFault('unexpected_byte', base + at)
      }
      if (++this.#read === this.#word.length) return at + 1
    }
    return -1
  }
}
