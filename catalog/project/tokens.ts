import { isDigit } from './classes.ts'
import { ProjectionFault } from './fault.ts'
import { utf8 } from '../text.ts'

/**
 * Reads the inside of one token, over as many chunks as it takes. `scan` returns the index behind
 * the token, or -1 where the chunk ended first; `base` is the chunk's offset in the document.
 */
export interface Token {
  scan(chunk: Uint8Array, from: number, base: number): number
}

/** A number; its end shows only at the byte behind it, or at the end of the document. */
export interface NumberToken extends Token {
  /** Starts with the number's first byte. */
  start(first: number): void
  /** Whether what was read so far is a whole number. */
  whole(): boolean
}

type NumberState = 'minus' | 'zero' | 'integer' | 'dot' | 'fraction' | 'e' | 'sign' | 'exponent'

const WHOLE: ReadonlySet<NumberState> = new Set(['zero', 'integer', 'fraction', 'exponent'])
const MINUS = 0x2d
const PLUS = 0x2b
const ZERO = 0x30
const DOT = 0x2e
const LOWER_E = 0x65

export function createNumberToken(): NumberToken {
  let state: NumberState = 'minus'
  return {
    start(first) {
      state = first === MINUS ? 'minus' : first === ZERO ? 'zero' : 'integer'
    },
    whole: () => WHOLE.has(state),
    scan(chunk, from, base) {
      for (let at = from; at < chunk.length; at++) {
        const next = afterByte(state, chunk[at]!)
        if (next === undefined) {
          if (!WHOLE.has(state)) throw new ProjectionFault('unexpected_byte', base + at)
          return at
        }
        state = next
      }
      return -1
    },
  }
}

function afterByte(state: NumberState, byte: number): NumberState | undefined {
  if (isDigit(byte)) return afterDigit(state, byte)
  if (byte === DOT) return state === 'zero' || state === 'integer' ? 'dot' : undefined
  if ((byte | 0x20) === LOWER_E) return WHOLE.has(state) && state !== 'exponent' ? 'e' : undefined
  return (byte === PLUS || byte === MINUS) && state === 'e' ? 'sign' : undefined
}

function afterDigit(state: NumberState, byte: number): NumberState | undefined {
  if (state === 'minus') return byte === ZERO ? 'zero' : 'integer'
  if (state === 'dot') return 'fraction'
  if (state === 'e' || state === 'sign') return 'exponent'
  return state === 'zero' ? undefined : state
}

/** `true`, `false` or `null`. */
export interface LiteralToken extends Token {
  /** Starts with the literal's first byte; false where no literal begins so. */
  start(first: number): boolean
}

const LITERALS: ReadonlyMap<number, Uint8Array> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), utf8(word)]),
)

export function createLiteralToken(): LiteralToken {
  let word: Uint8Array = new Uint8Array(0)
  let read = 0
  return {
    start(first) {
      word = LITERALS.get(first) ?? new Uint8Array(0)
      read = 1
      return word.length > 0
    },
    scan(chunk, from, base) {
      for (let at = from; at < chunk.length; at++) {
        if (chunk[at] !== word[read]) throw new ProjectionFault('unexpected_byte', base + at)
        if (++read === word.length) return at + 1
      }
      return -1
    },
  }
}
