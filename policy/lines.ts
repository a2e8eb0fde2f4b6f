import { type Caveat, parseCaveat } from './caveat.ts'
import { readInOrder } from './order.ts'

/**
 * Reads the lines of a token in their order, those that were read before from memory.
 * @throws TokenFault as `readInOrder` does
 */
export function readLines(lines: readonly string[]): readonly Caveat[] {
  return readInOrder(lines, parseCaveat)
}
