import type { Form } from './secret-forms.ts'
import { readSymbol, SPOTS, startOf } from './secret-spellings.ts'

/**
 * Finds all forms of all secrets in one pass, one table look-up a byte. The automaton is made as it is walked:
 * a state is the set of readers that are inside some form, and a step is worked out the first time it is taken
 * (lazy subset construction, as in RE2). Text without any secret walks a few dozen states.
 */
export interface State {
  /** The state after each byte, as far as it is known. */
  readonly next: (State | undefined)[]
  /** Readers within a form, packed; readers that have not begun are implied. */
  readonly readers: readonly number[]
  /** Forms that end with the byte that led here. */
  readonly ended: readonly number[]
}

export interface Automaton {
  readonly start: State
  /** From `from` on, the first place at which a form may begin: two bytes tell for nearly all of a text. */
  skip(bytes: Buffer, from: number): number
  /** Whether a form ends anywhere in the bytes. */
  finds(bytes: Buffer): boolean
  step(state: State, byte: number): State
  /** Where the form that ended at `end` began. */
  beginningOf(form: number, bytes: Buffer, end: number): number
  /** Where the oldest reader of the state began, given that it stands at the end of `bytes`; the end where there is none. */
  oldestIn(state: State, bytes: Buffer): number
}

/** Enough for any plain text; only text that is made to wander needs more, and then all are made anew. */
const MAX_STATES = 1024
/** More symbols than the longest form has (a key of 16 KiB in hex). */
const STRIDE = 32_768 * SPOTS

const NONE: readonly number[] = []

// What is known of two bytes that stand side by side; only the dead ones are 0, so that many are asked at once.
const DEAD = 0
const LIVE = 1
const UNKNOWN = 2

export function createAutomaton(forms: readonly Form[]): Automaton {
  const known = new Map<string, State>()
  const start = makeState(NONE, NONE)

  function makeState(readers: readonly number[], ended: readonly number[]): State {
    return { next: Array.from({ length: 256 }), readers, ended }
  }

  function stateOf(readers: Set<number>, ended: readonly number[]): State {
    if (readers.size === 0 && ended.length === 0) return start
    const sorted = [...readers].sort((a, b) => a - b)
    const key = `${sorted.join()};${ended.join()}`
    const found = known.get(key)
    if (found !== undefined) return found
    // Streams keep the states they stand in; the rest is forgotten.
    if (known.size >= MAX_STATES) {
      known.clear()
      start.next.fill(undefined)
    }
    const made = makeState(sorted, ended)
    known.set(key, made)
    return made
  }

  function work(state: State, byte: number): State {
    const readers = new Set<number>()
    const ended: number[] = []
    const advance = (index: number, at: number, spot: number) => {
      const form = forms[index]
      if (form === undefined) return
      readSymbol(form, { at, spot }, byte, {
        onSymbol: () => {
          if (at + 1 === form.first.length) ended.push(index)
          else readers.add(pack(index, at + 1, 0))
        },
        onSpot: (next) => readers.add(pack(index, at, next)),
      })
    }
    for (const reader of state.readers) advance(...unpack(reader))
    for (let index = 0; index < forms.length; index++) advance(index, 0, 0)
    return stateOf(readers, [...new Set(ended)])
  }

  function begin(reader: number, bytes: Buffer, end: number): number {
    const [index, at, spot] = unpack(reader)
    const form = forms[index]
    return form === undefined ? end : startOf(form, { at, spot }, bytes, end)
  }

  function step(state: State, byte: number): State {
    const made = work(state, byte)
    state.next[byte] = made
    return made
  }

  function after(state: State, byte: number): State {
    return state.next[byte] ?? step(state, byte)
  }

  /** Of each two bytes, whether a form may begin with them; learned as they come by. */
  const pairs = new Uint8Array(65_536).fill(UNKNOWN)

  /** The first byte of a pair begins nothing where the second leads from it to where it leads from the start. */
  function learn(pair: number): number {
    const [first, second] = [pair >> 8, pair & 0xff]
    const fate = after(after(start, first), second) === after(start, second) ? DEAD : LIVE
    pairs[pair] = fate
    return fate
  }

  function skip(bytes: Buffer, from: number): number {
    const last = bytes.length - 1
    let at = from
    while (at < last) {
      at = behindDead(bytes, at)
      if (at >= last) break
      const pair = ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
      const known = pairs[pair]
      if (known === LIVE || (known === UNKNOWN && learn(pair) === LIVE)) return at
      at += 1
    }
    // What will follow the last byte is not known.
    return at === last && after(start, bytes[last] as number) === start ? at + 1 : at
  }

  /** Four pairs at a time, since nearly all are dead. */
  function behindDead(bytes: Buffer, from: number): number {
    const last = bytes.length - 5
    let at = from
    while (at <= last) {
      const b = bytes[at + 1] as number
      const c = bytes[at + 2] as number
      const d = bytes[at + 3] as number
      const one =
        (pairs[((bytes[at] as number) << 8) | b] as number) | (pairs[(b << 8) | c] as number)
      const two =
        (pairs[(c << 8) | d] as number) | (pairs[(d << 8) | (bytes[at + 4] as number)] as number)
      if ((one | two) !== DEAD) break
      at += 4
    }
    return at
  }

  function finds(bytes: Buffer): boolean {
    const { length } = bytes
    let current = start
    for (let i = skip(bytes, 0); i < length; i += 1) {
      current = after(current, bytes[i] as number)
      if (current.ended.length > 0) return true
      if (current !== start.next[bytes[i] as number]) continue
      const next = skip(bytes, i)
      if (next > i) [current, i] = [start, next - 1]
    }
    return false
  }

  return {
    start,
    skip,
    finds,
    step,
    beginningOf: (index, bytes, end) =>
      begin(pack(index, forms[index]?.first.length ?? 0, 0), bytes, end),
    oldestIn: (state, bytes) =>
      Math.min(bytes.length, ...state.readers.map((reader) => begin(reader, bytes, bytes.length))),
  }
}

function pack(index: number, at: number, spot: number): number {
  return index * STRIDE + at * SPOTS + spot
}

function unpack(reader: number): [index: number, at: number, spot: number] {
  const inForm = reader % STRIDE
  return [Math.floor(reader / STRIDE), Math.floor(inForm / SPOTS), inForm % SPOTS]
}
