import { readNumber, WrittenNumber } from './numbers.ts'
import { ProjectionFault } from './project/fault.ts'
import { isContainer } from './project/frames.ts'
import { nameText } from './project/names.ts'
import { Scanner } from './project/scanner.ts'
import { BYTES, PASS, WALK, type Visitor } from './project/visitor.ts'
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
  const visitor = createBodyVisitor()
  try {
    const scanner = new Scanner(visitor, { lines: false })
    scanner.push(bytes)
    scanner.end()
  } catch (error) {
    if (!(error instanceof ProjectionFault)) throw error
    return refused(REASONS[error.kind] ?? `the body is not JSON: see byte ${error.offset}`)
  }
  return { ok: true, value: withWritten(JSON.parse(textOf(bytes)), visitor.written()) }
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
  /** Of the member or element at hand. */
  key: string | number
  written: Map<string | number, Written> | undefined
}

interface BodyVisitor extends Visitor {
  /** What was found, once all is read. */
  written(): Written | undefined
}

const OBJECT = 0x7b
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39

/** Walks everything, faults at a name that its object already has, and keeps the numbers that a double would round. */
function createBodyVisitor(): BodyVisitor {
  const root: Open = { names: undefined, key: -1, written: undefined }
  const open: Open[] = [root]
  let number: string | undefined
  const keep = (found: Written | undefined) => {
    if (found === undefined) return
    const { key, written = new Map() } = open.at(-1)!
    open.at(-1)!.written = written.set(key, found)
  }
  return {
    name(spelled) {
      const name = nameText(spelled)
      const inside = open.at(-1)!
      if (inside.names!.has(name)) throw new ProjectionFault('duplicate_member', 0)
      inside.names!.add(name)
      inside.key = name
    },
    start(first) {
      const inside = open.at(-1)!
      if (inside.names === undefined) inside.key = (inside.key as number) + 1
      if (isContainer(first)) {
        const names = first === OBJECT ? new Set<string>() : undefined
        open.push({ names, key: -1, written: undefined })
        return WALK
      }
      if (first !== MINUS && (first < ZERO || first > NINE)) return PASS
      number = ''
      return BYTES
    },
    bytes(chunk, from, to) {
      number += textOf(chunk.subarray(from, to))
    },
    end() {
      if (number === undefined) return keep(open.pop()!.written)
      const read = readNumber(number)
      number = undefined
      if (read instanceof WrittenNumber) keep(read)
    },
    written: () => root.written?.get(0),
  }
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
