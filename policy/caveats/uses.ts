import type { Axis } from '../axis.ts'

const FORM = /^(?:0|[1-9]\d{0,8})$/

/**
 * How many calls may be let through. The counters live outside of both engines: they are taken
 * last, in one step, once everything else allows.
 */
export const uses: Axis = {
  name: 'uses',
  ops: ['<='],
  value: 'a whole number from 0 to 999999999',
  says: 'fewer calls than that were let through with this token and all that were narrowed from it',
  example: 'uses <= 100',
  read({ value }) {
    if (!FORM.test(value)) return `\`${value}\` is no whole number from 0 to 999999999`
    const calls = value === '1' ? '1 call' : `${value} calls`
    return {
      words: `at most ${calls}, shared with every token narrowed from this one`,
      refuses: () => undefined,
      facts: { uses: Number(value) },
    }
  },
}
