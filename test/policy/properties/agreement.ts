import fc from 'fast-check'
import type { Test } from 'tap'
import { createCedarEngine } from '../../../policy/index.ts'
import { createSecondOpinion } from '../../../policy/cedar/second-opinion.ts'
import { refusals } from '../../../policy/judge.ts'
import { readLines } from '../../../policy/lines.ts'
import { ask, line, lines } from '../arbitraries.ts'
import { loadFreshCedar } from '../support.ts'

/** Calls for each list of lines: compiling for Cedar costs the most, and remembered verdicts are met. */
const CALLS = 10

/** The native predicates and Cedar say the same of whatever is asked. A case is one call. */
export function enginesAgree(t: Test, cases: number): void {
  const secondOpinion = createSecondOpinion(createCedarEngine({ loadCedar: loadFreshCedar }))
  const seen = { allow: 0, deny: 0 }
  const calls = fc.array(ask, { minLength: CALLS, maxLength: CALLS })
  // A single line hides nothing behind another's refusal.
  const texts = fc.oneof(lines, fc.tuple(line))
  const property = fc.property(texts, calls, (had, asks) => {
    const caveats = readLines(had)
    return asks.every((call) => {
      const native = refusals(caveats, call).length === 0 ? 'allow' : 'deny'
      seen[native]++
      return secondOpinion(caveats, call) === native
    })
  })
  fc.assert(property, { numRuns: cases / CALLS })
  t.ok(seen.allow > cases / 20 && seen.deny > cases / 20, JSON.stringify({ cases, ...seen }))
}
