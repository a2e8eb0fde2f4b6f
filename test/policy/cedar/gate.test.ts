import fc from 'fast-check'
import t from 'tap'
import { type CedarModule, createCedarEngine } from '../../../policy/index.ts'
import { createSecondOpinion } from '../../../policy/cedar/second-opinion.ts'
import { readLines } from '../../../policy/lines.ts'
import { ask, lines } from '../arbitraries.ts'
import { loadFreshCedar, RUNS_FACTOR } from '../support.ts'

// What harms the engine or is read by it in its own way must never reach it: lone surrogates, null,
// fractions, nesting, `__entity` and `__extn` of a caller, names that a caller chose.

const DECIMAL = /^-?\d{1,15}\.\d{4}$/

function isHarmless(value: unknown): boolean {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value)
  if (typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isSafeInteger(value)
  if (typeof value !== 'object' || value === null) return false
  const { __extn: call, ...rest } = value as { __extn?: { fn?: unknown; arg?: unknown } }
  if (Object.keys(rest).length > 0 || Object.keys(call ?? {}).join() !== 'fn,arg') return false
  return call?.fn === 'decimal' && typeof call.arg === 'string' && DECIMAL.test(call.arg)
}

void t.test('only harmless contexts and plain policies reach the engine', async (t) => {
  const module = loadFreshCedar()
  const bad: unknown[] = []
  let requests = 0
  const watching: CedarModule = {
    preparsePolicySet(name, policies) {
      if (!/^[\x20-\x7e]*$/.test(JSON.stringify(policies))) bad.push(policies)
      const answer = module.preparsePolicySet(name, policies)
      if (answer.type !== 'success') bad.push(answer)
      return answer
    },
    statefulIsAuthorized(call) {
      requests++
      const entries = Object.entries(call.context)
      if (!entries.every(([name, value]) => /^x\d+$/.test(name) && isHarmless(value))) {
        bad.push(call.context)
      }
      const answer = module.statefulIsAuthorized(call)
      if (answer.type !== 'success' || answer.response.diagnostics.errors.length > 0) {
        bad.push(answer)
      }
      return answer
    },
  }
  const secondOpinion = createSecondOpinion(createCedarEngine({ loadCedar: () => watching }))
  const asks = fc.array(ask, { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(lines, asks, (texts, calls) => {
      const caveats = readLines(texts)
      for (const call of calls) secondOpinion(caveats, call)
      return bad.length === 0
    }),
    { numRuns: 300 * RUNS_FACTOR },
  )
  t.ok(requests > 500 * RUNS_FACTOR, `the engine was asked ${requests} times`)
})
