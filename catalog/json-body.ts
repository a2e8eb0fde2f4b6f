import { numberOf, WrittenNumber } from './numbers.ts'
import { ProjectionFault } from './project/fault.ts'
import { isContainer } from './project/frames.ts'
import { nameText, type SpelledName } from './project/names.ts'
import { Scanner } from './project/scanner.ts'
import { BYTES, PASS, WALK, type Visit, type Visitor } from './project/visitor.ts'
import { textOf } from './text.ts'
import { refused, type Refused } from './wire/refusal.ts'

/** A request body that is JSON, and reads alike for every reader. */
export interface JsonBody {
  readonly ok: true
  /** A number that no double holds as it is written is a `WrittenNumber`. */
  readonly value: unknown
}

/**
 * Reads a JSON body to be judged. A member that occurs twice in one object is refused: readers differ
 * in which copy counts, and the upstream might take the one that policy did not see.
 */
export function parseJsonBody(bytes: Uint8Array): JsonBody | Refused {
  const visitor = new BodyVisitor()
  try {
    const scanner = new Scanner(visitor, { lines: false })
    scanner.push(bytes)
    scanner.end()
  } catch (error) {
    if (!(error instanceof ProjectionFault)) throw error
    return refused(REASONS[error.kind] ?? `the body is not JSON: see byte ${error.offset}`)
  }
  return { ok: true, value: withWritten(JSON.parse(textOf(bytes)), visitor.written) }
}

const REASONS: Readonly<Record<string, string>> = {
  duplicate_member: 'the body names a member twice in one object',
  too_deep: 'the body is nested too deep',
  bad_utf8: 'the body is not UTF-8',
}

/** The numbers in a value that a double would round, by their names or indexes; the value’s own shape. */
type Written = WrittenNumber | ReadonlyMap<string | number, Written>

/** A container that is walked into. */
interface Open {
  /** Undefined in a list. */
  readonly names: Set<string> | undefined
  /** Name of the member at hand, or index of the element; -1 before the first. */
  key: string | number
  written: Map<string | number, Written> | undefined
}

const OBJECT = 0x7b
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const E = 0x65

/** Walks everything, faults at a name that its object already has, and keeps the numbers that a double would round. */
class BodyVisitor implements Visitor {
  /** Stands around the body, which is its one element. */
  readonly #root: Open = { names: undefined, key: -1, written: undefined }
  readonly #open: Open[] = [this.#root]
  #isNumber = false

  /** What was found, once all is read. */
  get written(): Written | undefined {
    return this.#root.written?.get(0)
  }

  name(spelled: SpelledName): void {
    const inside = this.#inside
    const name = nameText(spelled)
    if (inside.names!.has(name)) throw new ProjectionFault('duplicate_member', 0)
    inside.names!.add(name)
    inside.key = name
  }

  start(first: number): Visit {
    const inside = this.#inside
    if (typeof inside.key === 'number') inside.key++
    if (isContainer(first)) {
      const isObject = first === OBJECT
      const names = isObject ? new Set<string>() : undefined
      this.#open.push({ names, key: isObject ? '' : -1, written: undefined })
      return WALK
    }
    this.#isNumber = first === MINUS || (first >= ZERO && first <= NINE)
    return this.#isNumber ? BYTES : PASS
  }

  /** A number comes in one piece, since the body does. */
  bytes(chunk: Uint8Array, from: number, to: number): void {
    if (isSurelyHeld(chunk, from, to)) return
    let text = ''
    // A number is short, and ASCII: no decoder is asked.
    for (let at = from; at < to; at++) text += String.fromCharCode(chunk[at]!)
    const number = numberOf(text)
    if (number instanceof WrittenNumber) this.#keep(number)
  }

  end(): void {
    if (!this.#isNumber) this.#keep(this.#open.pop()!.written)
    this.#isNumber = false
  }

  get #inside(): Open {
    return this.#open.at(-1)!
  }

  #keep(found: Written | undefined): void {
    if (found === undefined) return
    const inside = this.#inside
    inside.written ??= new Map()
    inside.written.set(inside.key, found)
  }
}

/** Every number of 15 digits is another double, and so told apart by its text (IEEE 754, binary64). */
const DIGITS_HELD = 15

/** Settles nearly all numbers without making text of them. */
function isSurelyHeld(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > DIGITS_HELD) return false
  for (let at = from; at < to; at++) if ((bytes[at]! | 0x20) === E) return false
  return true
}

/** Puts the numbers as they are written where JSON.parse put rounded ones. */
function withWritten(value: unknown, written: Written | undefined): unknown {
  if (written === undefined || written instanceof WrittenNumber) return written ?? value
  for (const [key, found] of written) {
    const below = (value as Record<string | number, unknown>)[key]
    // Not assigned: `__proto__` is a name like any other.
    Object.defineProperty(value, key, { value: withWritten(below, found) })
  }
  return value
}
