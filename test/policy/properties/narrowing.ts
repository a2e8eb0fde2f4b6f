import fc from 'fast-check'
import type { Test } from 'tap'
import { nodeDigests } from '../../../gateway/digests.ts'
import {
  createCedarEngine,
  createDecider,
  mintToken,
  narrowToken,
  verifyToken,
} from '../../../policy/index.ts'
import { ask, lines } from '../arbitraries.ts'
import { KEY, loadFreshCedar } from '../support.ts'

/** Calls for each pair of tokens: compiling for Cedar costs the most. */
const CALLS = 10

/** Whatever a narrowed token allows, the token it was made from allows. A case is one call. */
export function narrowingNeverWidens(t: Test, cases: number): void {
  const decider = createDecider({ cedar: createCedarEngine({ loadCedar: loadFreshCedar }) })
  const digests = nodeDigests
  const seen = { kept: 0, taken: 0 }
  const calls = fc.array(ask, { minLength: CALLS, maxLength: CALLS })
  const property = fc.property(lines, lines, calls, (had, added, asks) => {
    const text = mintToken(KEY, 'g_1', had, digests)
    const wide = verifyToken(text, [KEY], { digests })
    const narrow = verifyToken(narrowToken(text, added, digests), [KEY], { digests })
    return asks.every((call) => {
      const before = decider.judge(wide, call).allow
      const after = decider.judge(narrow, call).allow
      if (before) seen[after ? 'kept' : 'taken']++
      return before || !after
    })
  })
  fc.assert(property, { numRuns: cases / CALLS })
  t.ok(seen.kept > cases / 200 && seen.taken > cases / 200, JSON.stringify({ cases, ...seen }))
}
