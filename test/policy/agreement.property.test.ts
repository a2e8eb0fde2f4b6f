import fc from 'fast-check'
import t from 'tap'
import { createCedarEngine } from '../../policy/cedar/engine.ts'
import { createSecondOpinion } from '../../policy/cedar/second-opinion.ts'
import { refusals } from '../../policy/judge.ts'
import { readLines } from '../../policy/lines.ts'
import { ask, lines } from './arbitraries.ts'
import { loadFreshCedar, RUNS_FACTOR } from './support.ts'

void t.test('the native predicates and Cedar agree on whatever is asked', async (t) => {
  const secondOpinion = createSecondOpinion(createCedarEngine({ loadCedar: loadFreshCedar }))
  const seen = { allow: 0, deny: 0 }
  // A few calls for each list of lines: compiling costs the most, and memoised verdicts are met.
  const asks = fc.array(ask, { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(lines, asks, (texts, calls) => {
      const caveats = readLines(texts)
      for (const call of calls) {
        const native = refusals(caveats, call).length === 0 ? 'allow' : 'deny'
        seen[native]++
        if (secondOpinion(caveats, call) !== native) return false
      }
      return true
    }),
    { numRuns: 800 * RUNS_FACTOR },
  )
  t.ok(seen.allow > 200 && seen.deny > 200, `both verdicts occur: ${JSON.stringify(seen)}`)
})

void t.test('they agree on each line alone', async (t) => {
  const secondOpinion = createSecondOpinion(createCedarEngine({ loadCedar: loadFreshCedar }))
  fc.assert(
    fc.property(lines, ask, (texts, call) =>
      texts.every((text) => {
        const caveats = readLines([text])
        const native = refusals(caveats, call).length === 0 ? 'allow' : 'deny'
        return secondOpinion(caveats, call) === native
      }),
    ),
    { numRuns: 300 * RUNS_FACTOR },
  )
  t.pass()
})
