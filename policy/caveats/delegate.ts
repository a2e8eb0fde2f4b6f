import type { Axis } from '../axis.ts'

/** Ends narrowing: no line may follow. */
export const delegate: Axis = {
  name: 'delegate',
  ops: ['='],
  value: 'no',
  says: 'always; any line after it refuses the token',
  example: 'delegate = no',
  read({ value }) {
    if (value !== 'no') return `\`${value}\` is not known; use \`no\``
    return {
      words: 'no further line may be added',
      refuses: () => undefined,
      facts: { delegable: false },
    }
  },
}
