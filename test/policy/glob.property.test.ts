import fc from 'fast-check'
import t from 'tap'
import { matchesGlob, parseGlob } from '../../policy/glob.ts'
import { RUNS_FACTOR } from './support.ts'

void t.test('globs match as the same regular expression does', async (t) => {
  const piece = fc.constantFrom('a', 'b', 'ab', '*', '.', '😀')
  const pattern = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''))
  const text = fc
    .array(fc.constantFrom('a', 'b', '.', '😀', '\n'), { maxLength: 12 })
    .map((parts) => parts.join(''))
  let matched = 0
  fc.assert(
    fc.property(pattern, text, (source, value) => {
      const glob = parseGlob(source)
      if (glob === undefined) return false
      const escaped = source.replace(/[.]/g, '\\.').replaceAll('*', '[\\s\\S]*')
      const expected = new RegExp(`^${escaped}$`, 'u').test(value)
      if (expected) matched++
      return matchesGlob(glob, value) === expected
    }),
    { numRuns: 5000 * RUNS_FACTOR },
  )
  t.ok(matched > 200 * RUNS_FACTOR, `some match: ${matched}`)
})
