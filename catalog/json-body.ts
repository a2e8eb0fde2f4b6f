import { ProjectionFault } from './project/fault.ts'
import { isContainer } from './project/frames.ts'
import { nameText } from './project/names.ts'
import { Scanner } from './project/scanner.ts'
import { PASS, WALK, type Visitor } from './project/visitor.ts'
import { textOf } from './text.ts'
import { refused, type Refused } from './wire/refusal.ts'

/** A request body that is JSON, and reads alike for every reader. */
export interface JsonBody {
  readonly ok: true
  readonly value: unknown
}

/**
 * Reads a JSON body to be judged. A member that occurs twice in one object is refused: readers differ
 * in which copy counts, and the upstream might take the one that policy did not see.
 */
export function parseJsonBody(bytes: Uint8Array): JsonBody | Refused {
  try {
    const scanner = new Scanner(createUniqueNames(), { lines: false })
    scanner.push(bytes)
    scanner.end()
  } catch (error) {
    if (!(error instanceof ProjectionFault)) throw error
    return refused(REASONS[error.kind] ?? `the body is not JSON: see byte ${error.offset}`)
  }
  return { ok: true, value: JSON.parse(textOf(bytes)) }
}

const REASONS: Readonly<Record<string, string>> = {
  duplicate_member: 'the body names a member twice in one object',
  too_deep: 'the body is nested too deep',
  bad_utf8: 'the body is not UTF-8',
}

/** Walks everything, and faults at a name that its object already has. */
function createUniqueNames(): Visitor {
  const open: Set<string>[] = []
  return {
    name(spelled) {
      const name = nameText(spelled)
      const names = open.at(-1)!
      if (names.has(name)) throw new ProjectionFault('duplicate_member', 0)
      names.add(name)
    },
    start(first) {
      if (!isContainer(first)) return PASS
      open.push(new Set())
      return WALK
    },
    end() {
      open.pop()
    },
    bytes() {},
  }
}
