import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { createAutomaton } from './secret-automaton.ts'
import type { Automaton, State } from './secret-automaton.ts'
import { formsOf } from './secret-forms.ts'

/** A secret that no answer, log or receipt may hold. */
export interface MaskedSecret {
  /** For error texts; never its value. */
  readonly name: string
  /** At least 16 bytes: anything shorter would be masked where it is no secret. */
  readonly value: string
  /** The user name that stands before it in Basic credentials, which are then masked as a whole. */
  readonly user?: string
}

/** Masks one stream of bytes as it passes. */
interface RedactingStream {
  /** Takes a chunk and gives what can go on: all but a tail that begins a form of a secret. */
  push(chunk: Buffer): Buffer
  /** Ends the stream and gives the rest. */
  flush(): Buffer
  /** Forms masked so far. */
  readonly masked: number
}

/**
 * Replaces every form of the secrets by as many `*`, so that lengths stay true: raw, base64 (both alphabets, at any
 * alignment, so also inside Basic credentials), hex, each also percent-encoded or JSON-escaped in whole or in part.
 */
export interface Redactor {
  redactText(text: string): string
  /** Masks names and values of fields. */
  redactHeaders(headers: RawHeaders): RawHeaders
  stream(): RedactingStream
}

const MIN_BYTES = 16
const MASK = 0x2a
const EMPTY = Buffer.alloc(0)

/**
 * Make one redactor for a set of secrets and keep it: what it learns of the text makes it fast.
 * Throws a RangeError that names a secret shorter than 16 bytes.
 */
export function createRedactor(secrets: readonly MaskedSecret[]): Redactor {
  const values = new Set(secrets.flatMap(valuesOf))
  const automaton = createAutomaton([...values].flatMap(formsOf))
  const redactString = (text: string, encoding: 'utf8' | 'latin1') => {
    const bytes = Buffer.from(text, encoding)
    return automaton.finds(bytes) ? redactWhole(automaton, bytes).toString(encoding) : text
  }
  return {
    redactText: (text) => (values.size === 0 ? text : redactString(text, 'utf8')),
    redactHeaders(headers) {
      if (values.size === 0) return headers
      // Nearly always nothing is there to mask: that is seen in one pass over all of them.
      if (!automaton.finds(Buffer.from(headers.join('\n'), 'latin1'))) return headers
      return headers.map((text) => redactString(text, 'latin1'))
    },
    stream: () => (values.size === 0 ? createPassingStream() : new MaskingStream(automaton)),
  }
}

function valuesOf({ name, value, user }: MaskedSecret): readonly string[] {
  const length = Buffer.byteLength(value)
  if (length < MIN_BYTES) {
    throw new RangeError(`key ${name} has \`${length}\` bytes; use one of at least ${MIN_BYTES}`)
  }
  return user === undefined ? [value] : [value, `${user}:${value}`]
}

function createPassingStream(): RedactingStream {
  return { push: (chunk) => chunk, flush: () => EMPTY, masked: 0 }
}

function redactWhole(automaton: Automaton, bytes: Buffer): Buffer {
  const stream = new MaskingStream(automaton)
  return Buffer.concat([stream.push(bytes), stream.flush()])
}

class MaskingStream implements RedactingStream {
  masked = 0
  readonly #automaton: Automaton
  #state: State
  /** Bytes held back as they came, for reading backwards, and as they will leave. */
  #raw: Buffer = EMPTY
  #out: Buffer = EMPTY

  constructor(automaton: Automaton) {
    this.#automaton = automaton
    this.#state = automaton.start
  }

  push(chunk: Buffer): Buffer {
    const held = this.#raw.length
    const isClean = this.#out === this.#raw
    this.#raw = held === 0 ? chunk : Buffer.concat([this.#raw, chunk])
    this.#out = isClean ? this.#raw : Buffer.concat([this.#out, chunk])
    this.#scan(held)
    return this.#state === this.#automaton.start ? this.#giveAll() : this.#give()
  }

  flush(): Buffer {
    this.#state = this.#automaton.start
    return this.#giveAll()
  }

  /** Walks the bytes behind `from` and masks what ends there. */
  #scan(from: number): void {
    const automaton = this.#automaton
    const { start } = automaton
    const bytes = this.#raw
    const { length } = bytes
    let current = this.#state
    for (let i = current === start ? automaton.skip(bytes, from) : from; i < length; i++) {
      const byte = bytes[i] as number
      current = current.next[byte] ?? automaton.step(current, byte)
      if (current.ended.length > 0) this.#mask(current.ended, i + 1)
      // Only readers that this very byte began: two bytes tell how far none goes on.
      if (current !== start.next[byte]) continue
      const next = automaton.skip(bytes, i)
      if (next > i) [current, i] = [start, next - 1]
    }
    this.#state = current
  }

  #mask(forms: readonly number[], end: number): void {
    // The input is the caller's and is still read backwards, so the mask goes into a copy.
    if (this.#out === this.#raw) this.#out = Buffer.from(this.#raw)
    this.masked += forms.length
    for (const form of forms) {
      this.#out.fill(MASK, this.#automaton.beginningOf(form, this.#raw, end), end)
    }
  }

  #giveAll(): Buffer {
    const ready = this.#out
    this.#raw = EMPTY
    this.#out = EMPTY
    return ready
  }

  /** Gives all but a tail that begins a form. */
  #give(): Buffer {
    const raw = this.#raw
    const out = this.#out
    const keep = this.#automaton.oldestIn(this.#state, raw)
    if (keep === raw.length) return this.#giveAll()
    // A copy, since the held bytes outlive the caller's chunk.
    this.#raw = Buffer.from(raw.subarray(keep))
    this.#out = out === raw ? this.#raw : Buffer.from(out.subarray(keep))
    return out.subarray(0, keep)
  }
}
