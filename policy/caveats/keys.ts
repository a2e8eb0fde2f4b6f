import type { Axis } from '../axis.ts'
import { readId } from '../lists.ts'

/** Whose upstream keys are used. Only the first line may say so, so that no holder can. */
export const keys: Axis = {
  name: 'keys',
  ops: ['='],
  value: 'a person’s id',
  says: 'always; upstream keys are this person’s. Only as the first line, where mint puts it',
  example: 'keys = p_k2x9qa',
  read({ value }) {
    const fault = readId(value)
    if (fault !== undefined) return fault
    return {
      words: `calls are made with the upstream keys of ${value}`,
      refuses: () => undefined,
      facts: { keysOf: value },
    }
  },
}
