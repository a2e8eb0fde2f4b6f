import { LRUCache } from 'lru-cache'
import { readCaveat, type Caveat } from './read-caveat.ts'

export type { Caveat }

/**
 * Lines are alike in many tokens, and what one means depends on its text alone, so it is read once. So few and so
 * short are kept that they take some megabytes at most.
 */
const KNOWN = new LRUCache<string, Caveat>({ max: 1024 })
const MAX_KNOWN_LENGTH = 256

/** Reads one line, or remembers it. @throws TokenFault as `readCaveat` does */
export function parseCaveat(line: string): Caveat {
  const known = KNOWN.get(line)
  if (known !== undefined) return known
  const caveat = readCaveat(line)
  if (line.length <= MAX_KNOWN_LENGTH) KNOWN.set(line, caveat)
  return caveat
}

/** The line in plain words. @throws TokenFault as `parseCaveat` does */
export function explainCaveat(caveat: string | Caveat): string {
  return (typeof caveat === 'string' ? parseCaveat(caveat) : caveat).clause.words
}
