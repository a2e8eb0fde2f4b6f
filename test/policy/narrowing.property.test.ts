import fc from 'fast-check'
import t from 'tap'
import { createDecider, mintToken, narrowToken, verifyToken } from '../../policy/index.ts'
import { ask, lines } from './arbitraries.ts'
import { KEY, nodeDigests, RUNS_FACTOR } from './support.ts'

void t.test('whatever a narrowed token allows, the token it was made from allows', async (t) => {
  const decider = createDecider()
  let narrowed = 0
  fc.assert(
    fc.property(lines, lines, fc.array(ask, { minLength: 3, maxLength: 3 }), (had, added, asks) => {
      const text = mintToken(KEY, 'g_1', had, nodeDigests)
      const options = { digests: nodeDigests }
      const wide = verifyToken(text, [KEY], options)
      const narrow = verifyToken(narrowToken(text, added, nodeDigests), [KEY], options)
      return asks.every((call) => {
        const before = decider.judge(wide, call).allow
        const after = decider.judge(narrow, call).allow
        if (before && !after) narrowed++
        return before || !after
      })
    }),
    { numRuns: 300 * RUNS_FACTOR },
  )
  t.ok(narrowed > 10, `some calls were taken away: ${narrowed}`)
})
