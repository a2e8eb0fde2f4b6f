import { explainCaveat } from '../policy/index.ts'

/** A caveat line in plain words, also one that this version does not know. */
export function wordsOf(line: string): string {
  try {
    return explainCaveat(line)
  } catch (error) {
    return `refuses every call: ${error instanceof Error ? error.message : 'it does not parse'}`
  }
}
