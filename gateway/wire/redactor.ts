import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { createAutomaton } from './secret-automaton.ts'
import type { Automaton } from './secret-automaton.ts'
import { formsOf } from './secret-forms.ts'

/** A secret that no answer, log or receipt may hold. */
interface MaskedSecret {
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
    if (values.size === 0) return text
    const stream = createRedactingStream(automaton)
    const out = [stream.push(Buffer.from(text, encoding)), stream.flush()]
    return stream.masked === 0 ? text : Buffer.concat(out).toString(encoding)
  }
  return {
    redactText: (text) => redactString(text, 'utf8'),
    redactHeaders(headers) {
      // Nearly always nothing is there to mask: that is seen in one pass over all of them.
      const whole = headers.join('\n')
      if (redactString(whole, 'latin1') === whole) return headers
      return headers.map((text) => redactString(text, 'latin1'))
    },
    stream: () => (values.size === 0 ? createPassingStream() : createRedactingStream(automaton)),
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

function createRedactingStream(automaton: Automaton): RedactingStream {
  let state = automaton.start
  let masked = 0
  /** Bytes held back as they came, for reading backwards, and as they will leave. */
  let raw: Buffer = EMPTY
  let out: Buffer = EMPTY

  /** Walks the bytes behind `from` and masks what ends there. */
  function scan(from: number): void {
    const { start, idle } = automaton
    const bytes = raw
    const { length } = bytes
    let current = state
    for (let i = from; i < length; i++) {
      const byte = bytes[i] as number
      // Most bytes of most texts begin no form: a look at one byte of a table tells.
      if (current === start && idle[byte] === 1) continue
      current = current.next[byte] ?? automaton.step(current, byte)
      if (current.ended.length > 0) mask(current.ended, i + 1)
    }
    state = current
  }

  function mask(forms: readonly number[], end: number): void {
    // The input is the caller's and is still read backwards, so the mask goes into a copy.
    if (out === raw) out = Buffer.from(raw)
    masked += forms.length
    for (const form of forms) out.fill(MASK, automaton.beginningOf(form, raw, end), end)
  }

  return {
    push(chunk) {
      const held = raw.length
      const clean = out === raw
      raw = held === 0 ? chunk : Buffer.concat([raw, chunk])
      out = clean ? raw : Buffer.concat([out, chunk])
      scan(held)
      const keep = automaton.oldestIn(state, raw)
      const ready = out.subarray(0, keep)
      // A copy, since the held bytes outlive the caller's chunk.
      const untouched = out === raw
      raw = keep === raw.length ? EMPTY : Buffer.from(raw.subarray(keep))
      out = untouched || raw === EMPTY ? raw : Buffer.from(out.subarray(keep))
      return ready
    },
    flush() {
      const rest = out
      raw = EMPTY
      out = EMPTY
      state = automaton.start
      return rest
    },
    get masked() {
      return masked
    },
  }
}
